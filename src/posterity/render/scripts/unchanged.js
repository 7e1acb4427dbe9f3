// Resolves with the results of all triggers when the document has not changed for `quiet` ms, or after `most` ms. If
// nothing is rendered yet, or a comment area is still empty, it waits for `empty` ms instead.
([quiet, empty, most, places]) => new Promise(done => {
    const content = 'p, article, li, h1, h2, h3, img, td, pre';
    const rest = window.__posterity_rest || {later: setTimeout, isPending: () => false};
    const wait = () => !document.querySelector(content) || document.querySelector(places) ? empty : quiet;
    const end = performance.now() + most;
    let timer = rest.later(look, wait());
    const again = () => { clearTimeout(timer); timer = rest.later(look, Math.min(wait(), end - performance.now())); };
    const watch = new MutationObserver(again);
    function look() {
        if (performance.now() < end - 1 && rest.isPending()) return again();
        watch.disconnect(); clearTimeout(timer); done(SIGNS);
    }
    rest.later(() => { clearTimeout(timer); look(); }, most);
    watch.observe(document, {childList: true, subtree: true, characterData: true});
})

// Waits for an animation frame at every step, so that observers are called; returns the height of the page.
async () => {
    const root = document.scrollingElement || document.documentElement;
    const nextFrame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100); });
    for (let top = window.scrollY; top < root.scrollHeight - window.innerHeight; top += window.innerHeight) {
        window.scrollTo(0, top); await nextFrame();
    }
    window.scrollTo(0, root.scrollHeight); await nextFrame(); await nextFrame();
    return root.scrollHeight;
}

// Runs before the page's own scripts, and records whether one of them observes scrolling or visibility.
(() => {
    const Observer = window.IntersectionObserver, listen = EventTarget.prototype.addEventListener;
    window.IntersectionObserver = class extends Observer {
        constructor(...given) { super(...given); window.__posterityWatched = true; }
    };
    EventTarget.prototype.addEventListener = function (type, ...given) {
        if (type === 'scroll' || type === 'wheel') window.__posterityWatched = true;
        return listen.call(this, type, ...given);
    };
})()

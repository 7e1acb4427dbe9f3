// Runs before the page's own scripts and counts their pending work: a fixed wait would be unreliable on a busy machine.
// A request is pending until its callbacks have run. Timers set by a click or such a callback count, but not timers set
// by timers: a page that polls every second is idle.
(() => {
    const later = window.setTimeout.bind(window), forget = window.clearTimeout.bind(window), longest = 3000;
    const timers = new Set();
    let pending = 0, clicked = false, timed = false;
    const done = () => later(() => { pending--; }, 0);
    const track = promise => { pending++; promise.then(done, done); return promise; };
    window.__posterity_rest = {
        later, isPending: () => pending > 0,
        click: button => { clicked = true; try { button.click(); } finally { clicked = false; } },
    };
    window.setTimeout = function (work, delay, ...given) {
        if (timed || !(clicked || pending) || typeof work !== 'function' || delay > longest) return later(work, delay, ...given);
        pending++;
        const id = later(() => {
            timers.delete(id); timed = true;
            try { work(...given); } finally { timed = false; done(); }
        }, delay);
        timers.add(id);
        return id;
    };
    window.clearTimeout = id => { if (timers.delete(id)) pending--; forget(id); };
    const request = window.fetch;
    if (request) window.fetch = function (...given) { return track(request.apply(this, given)); };
    for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'formData']) {
        const read = Response.prototype[name];
        Response.prototype[name] = function (...given) { return track(read.apply(this, given)); };
    }
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...given) {
        pending++;
        this.addEventListener('loadend', done, {once: true});
        return send.apply(this, given);
    };
})()

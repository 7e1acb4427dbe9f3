// Blocks popups, dialogs and unload handlers: an open dialog stops its page, and a page can open any number of them.
(() => {
    window.open = () => null; window.alert = () => undefined; window.print = () => undefined;
    window.confirm = () => false; window.prompt = () => null;
    for (const name of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])
        window.addEventListener(name, event => event.stopImmediatePropagation(), true);
})()

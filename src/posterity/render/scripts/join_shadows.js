// Copies comments in shadow trees into the page; returns how many.
() => {
    let joined = 0;
    for (const host of document.querySelectorAll('*')) {
        if (!host.shadowRoot || !/comment|repl|thread|discuss/i.test(host.shadowRoot.textContent + host.localName)) continue;
        const copy = document.createElement('section');
        copy.className = 'comments posterity-shadow';
        copy.append(...[...host.shadowRoot.childNodes].map(node => node.cloneNode(true)));
        copy.querySelectorAll('script, style, link').forEach(node => node.remove());
        if (copy.textContent.trim()) { host.after(copy); joined++; }
    }
    return joined;
}

// The body of a frame as HTML, without scripts; empty if it has no text.
() => {
    const copy = document.body.cloneNode(true);
    copy.querySelectorAll('script, style, link, noscript, template, iframe').forEach(node => node.remove());
    return copy.textContent.trim() ? copy.innerHTML : '';
}

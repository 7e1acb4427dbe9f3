// Inserts the HTML of a frame after it, without event handlers.
(frame, [html, url]) => {
    const inert = new DOMParser().parseFromString(html, 'text/html');
    inert.querySelectorAll('*').forEach(node => [...node.attributes].forEach(
        attribute => attribute.name.startsWith('on') && node.removeAttribute(attribute.name)));
    const section = document.createElement('section');
    section.className = 'comments posterity-frame';
    section.setAttribute('data-src', url);
    section.append(...[...inert.body.childNodes].map(node => document.adoptNode(node)));
    frame.after(section);
}

// A banner floats above the page or is marked up as a dialog, is short, and mentions cookies or consent.
([about, reject, accept, names]) => {
    const speaks = new RegExp(about, 'iu'), no = new RegExp(reject, 'iu'), yes = new RegExp(accept, 'iu');
    const floats = node => ['fixed', 'sticky'].includes(getComputedStyle(node).position);
    const named = node => new RegExp(names, 'i').test(node.id + ' ' + node.className);
    const banners = [...document.querySelectorAll('div, section, aside, dialog, footer, form, [role=dialog]')].filter(
        node => (named(node) || node.matches('dialog, [role=dialog], [aria-modal=true]') || node.parentElement === document.body)
            && node.textContent.length < 4000 && speaks.test(node.textContent)
            && (floats(node) || node.matches('dialog[open], [role=dialog], [aria-modal=true]')));
    const done = [];
    for (const banner of banners) {
        if (!banner.isConnected || banners.some(other => other !== banner && other.contains(banner))) continue;
        const buttons = [...banner.querySelectorAll('button, [role=button], input[type=button], input[type=submit], a')];
        const labelOf = button => (button.innerText || button.value || button.ariaLabel || '').trim();
        const button = buttons.find(one => no.test(labelOf(one))) || buttons.find(one => yes.test(labelOf(one)));
        const stop = event => event.preventDefault();
        window.addEventListener('click', stop); window.addEventListener('submit', stop, true);
        if (button) { button.click(); done.push(labelOf(button).slice(0, 40)); } else done.push('hidden');
        window.removeEventListener('click', stop); window.removeEventListener('submit', stop, true);
        if (banner.isConnected) { banner.hidden = true; banner.style.setProperty('display', 'none', 'important'); }
    }
    if (done.length) for (const node of [document.documentElement, document.body])
        node.style.setProperty('overflow', 'auto', 'important');
    return done;
}

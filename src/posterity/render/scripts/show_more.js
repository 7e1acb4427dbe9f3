// Clicks at most `most` buttons, and returns their labels. `size` is the number of elements before the last click.
([most, asking, beside, phrases]) => {
    const asks = new Set(asking), goes = new Set(beside), phrase = new RegExp(phrases, 'u');
    const memory = window.__posterity ||= {spent: new WeakSet(), last: [], size: 0};
    const size = document.querySelectorAll('body *:not(script):not(style):not(link)').length;
    if (size <= memory.size) memory.last.forEach(button => memory.spent.add(button));
    const worded = text => {
        const plain = text.normalize('NFC').toLowerCase().trim();
        if (!plain || plain.length > 60) return false;
        if (phrase.test(plain)) return true;
        const words = plain.match(/[\p{L}\p{M}]+/gu) || [];
        // "Reply" alone opens a form, and "More" alone a menu.
        return (words.length > 1 || /\d/.test(plain)) && words.some(word => asks.has(word)) && words.every(word => asks.has(word) || goes.has(word));
    };
    const classed = /(?:^|[\s_-])(?:load|show|view|see)-?(?:more|older|hidden|all|replies)(?![a-z])|more-?(?:comments|replies)|infinite-handle/i;
    const leads = button => {
        const href = button.getAttribute('href');
        return button.localName === 'a' && href && !/^(?:#|javascript:)/i.test(href);
    };
    const found = [...document.querySelectorAll(
        'button, [role=button], a, summary, input[type=button], [onclick], [class*=more i], [class*=replies i]'
    )].filter(button => {
        if (memory.spent.has(button) || button.disabled || button.closest('nav, form:not([class*=comment i])')) return false;
        if (button.children.length > 4 || button.type === 'submit' && button.form) return false;
        const named = classed.test(button.className + ' ' + button.id);
        if (leads(button) && !named) return false;
        const labels = [button.innerText ?? button.textContent ?? '', button.ariaLabel || '', button.title || '', button.value || ''];
        const shown = button.getClientRects().length > 0;
        return shown && (labels.some(text => worded(String(text))) || named && /^[^\n]{0,60}$/.test(labels[0].trim()));
    });
    const outer = found.filter(button => !found.some(other => other !== button && other.contains(button))).slice(0, most);
    const stop = event => event.preventDefault();
    window.addEventListener('click', stop); window.addEventListener('submit', stop, true);
    const click = window.__posterity_rest?.click || (button => button.click());
    outer.forEach(click);
    window.removeEventListener('click', stop); window.removeEventListener('submit', stop, true);
    memory.last = outer; memory.size = size;
    return outer.map(button => (button.innerText || button.textContent || button.ariaLabel || '').trim().slice(0, 40));
}

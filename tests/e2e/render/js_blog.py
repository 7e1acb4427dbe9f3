"""Small blogs that only exist in a browser: served as shells, drawn by scripts, commented by widgets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Response

WORDS = "tide bread radio harbour lamp stone letter winter paper garden engine river salt copper morning anchor".split()
POSTS = 8
COMMENTS = 5


def text(number: int) -> str:
    """The article of a post, as HTML."""
    words = [WORDS[(number * 7 + place * (3 + number)) % len(WORDS)] for place in range(80)]
    return f"<p>{' '.join(words[:40])} {number}.</p><p>{' '.join(words[40:])}.</p>"


def title(number: int) -> str:
    """The title of a post."""
    return f"The {WORDS[number]} of day {number}"


def entry(number: int) -> dict[str, object]:
    """A post as its data."""
    return {
        "id": number,
        "title": title(number),
        "published": f"2024-03-{10 + number}T08:30:00+00:00",
        "author": {"name": "Ada Brandt"},
        "content": text(number),
    }


# Draws the list or one post, whichever the route says; four comments at first, the rest on a click.
_APP = """
const app = document.getElementById('app');
const data = async name => (await fetch('/data/' + name + '.json')).json();
async function draw() {
    const number = (location.hash + location.pathname).match(/post\\/(\\d+)/)?.[1];
    if (number) {
        const post = await data('post-' + number), said = await data('comments-' + number);
        const one = c => `<div class="c"><b>${c.author}</b> <i>${c.date}</i><p>${c.text}</p></div>`;
        app.innerHTML = `<article class=post><h2>${post.title}</h2><address>${post.author.name}</address>
            <time datetime="${post.published}">${post.published}</time><div class=body>${post.content}</div></article>
            <section class=comments><div id=said>${said.slice(0, 4).map(one).join('')}</div>
            <button>Show more comments</button></section>`;
        app.querySelector('button').onclick = event => {
            document.getElementById('said').innerHTML = said.map(one).join(''); event.target.remove();
        };
    } else {
        const posts = (await data('posts')).items;
        app.innerHTML = '<h1>Drawn blog</h1>' + posts.map(p =>
            `<article><h2><a href="PREFIXpost/${p.id}">${p.title}</a></h2></article>`).join('');
    }
}
addEventListener('hashchange', draw); draw();
"""
_SHELL = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Drawn blog</title>{head}</head><body>
<div id=app></div><script src="/app.js"></script></body></html>"""


def drawn_blog(response: type[Response], *, history: bool = False, base_url: str = "") -> dict[str, Response]:
    """A blog with routes after a #, without a feed; or with routes in the path (`history`), and a feed."""
    head = '<link rel=alternate type="application/rss+xml" href="/feed.xml">' if history else ""
    shell = response(_SHELL.format(head=head))
    responses = {"/": shell, "/app.js": response(_APP.replace("PREFIX", "/" if history else "#!/"), "text/javascript")}
    json_type = "application/json"
    responses["/data/posts.json"] = response(
        json.dumps({"items": [entry(number) for number in range(POSTS)]}), json_type
    )
    for number in range(POSTS):
        responses[f"/data/post-{number}.json"] = response(json.dumps(entry(number)), json_type)
        said = [
            {"author": f"Reader {k}", "date": f"2024-04-{10 + k} 12:30", "text": f"Comment {k} on {title(number)}"}
            for k in range(COMMENTS)
        ]
        responses[f"/data/comments-{number}.json"] = response(json.dumps(said), json_type)
        if history:
            responses[f"/post/{number}"] = shell
    if history:
        items = "".join(
            f"<item><title>{title(number)}</title><link>{base_url}/post/{number}</link><description><![CDATA["
            f"{text(number)}]]></description><pubDate>Sat, {10 + number} Mar 2024 08:30:00 GMT</pubDate></item>"
            for number in range(POSTS)
        )
        feed = f'<rss version="2.0"><channel><title>Drawn blog</title>{items}</channel></rss>'
        responses["/feed.xml"] = response(feed, "application/rss+xml")
    return responses


# Draws a list at /journal.html, and the post that the query names there; a menu and a footer are the server's.
_JOURNAL = """
fetch('/data/posts.json').then(answer => answer.json()).then(data => {
    const number = new URLSearchParams(location.search).get('post');
    const post = data.items.find(one => String(one.id) === number);
    document.getElementById('list').innerHTML = post ? '' : data.items.map(one =>
        `<li><time>${one.published.slice(0, 10)}</time> <a href="PAGE?post=${one.id}">${one.title}</a></li>`).join('');
    if (post) {
        document.querySelector('article').hidden = false;
        document.querySelector('article h1').textContent = post.title;
        document.querySelector('article time').textContent = post.published.slice(0, 10);
        document.getElementById('body').innerHTML = post.content;
    }
});
"""
_FRAME = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Ada Brandt</title>{head}</head><body>
<nav><a href="/">Home</a> <a href="/about.html">About me</a> <a href="/{page}">Journal</a></nav>
<main>{main}</main><footer><p>© 2024 Ada Brandt, who mends radios by the sea.</p></footer>{script}</body></html>"""


def filled_blog(response: type[Response], *, feed: int = 0, base_url: str = "") -> dict[str, Response]:
    """A static home page; the list of posts and the posts are one page that scripts fill.

    A feed has so many titles, and then a sitemap has all posts.
    """
    page = "journal.html"
    head = '<link rel=alternate type="application/rss+xml" href="/feed.xml">' if feed else ""
    script = '<script src="/journal.js"></script>'
    about = "<h1>Hello</h1><p>I mend radios, and write about that in my journal.</p>"
    empty = "<ul id=list></ul><article hidden><h1></h1><time></time><div id=body></div></article>"
    responses = {
        "/": response(_FRAME.format(head=head, page=page, main=about, script='<script src="/theme.js"></script>')),
        "/about.html": response(_FRAME.format(head=head, page=page, main=about.replace("Hello", "About"), script="")),
        "/theme.js": response("", "text/javascript"),
        "/journal.js": response(_JOURNAL.replace("PAGE", page), "text/javascript"),
        "/data/posts.json": response(
            json.dumps({"items": [entry(number) for number in range(POSTS)]}), "application/json"
        ),
    }
    frame = response(_FRAME.format(head=head, page=page, main=empty, script=script))
    responses |= {f"/{page}": frame} | {f"/{page}?post={number}": frame for number in range(POSTS)}
    if feed:
        items = "".join(
            f"<item><title>{title(number)}</title><link>{base_url}/{page}?post={number}</link>"
            f"<pubDate>Sat, {10 + number} Mar 2024 08:30:00 GMT</pubDate></item>"
            for number in range(feed)
        )
        responses["/feed.xml"] = response(
            f'<rss version="2.0"><channel><title>Journal</title>{items}</channel></rss>', "application/rss+xml"
        )
        urls = "".join(f"<url><loc>{base_url}/{page}?post={number}</loc></url>" for number in range(POSTS))
        responses["/sitemap.xml"] = response(
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>', "application/xml"
        )
    return responses


# A widget that shows two comments, and the others on clicks, in isso's markup.
_WIDGET = """fetch('/isso/?uri=' + encodeURIComponent(location.pathname) + '&limit=2').then(answer => answer.json()).then(data => {
    const root = document.getElementById('isso-thread');
    const one = c => `<div class="isso-comment" id="isso-${c.id}"><div class="isso-text-wrapper">
        <div class="isso-comment-header"><span class="isso-author">${c.author}</span>
        <time datetime="2024-05-01T10:00:00Z">long ago</time></div><div class="isso-text">${c.text}</div></div>
        <div class="isso-follow-up">${c.replies.map(one).join('')}</div></div>`;
    const rest = data.replies.slice(); let shown = 2;
    const show = () => { root.innerHTML = rest.slice(0, shown).map(one).join('') +
        (shown < rest.length ? `<a class="isso-load-hidden" href="#">${rest.length - shown} Hidden</a>` : '');
        root.querySelector('.isso-load-hidden')?.addEventListener('click', () => { shown += 2; show(); }); };
    show();
});"""  # noqa: E501


def replies() -> list[dict[str, object]]:
    """A thread as isso tells it: six comments, the first of them answered twice."""
    return [
        {
            "id": 10 * number + 10,
            "author": f"Reader {number}",
            "text": f"<p>Comment {number} about tides</p>",
            "created": 1714557600.0 + number,
            "replies": [
                {"id": 10 + k, "author": "Ann", "text": f"<p>Answer {k}</p>", "created": 1714557700.0, "replies": []}
                for k in (1, 2)
            ]
            if number == 0
            else [],
        }
        for number in range(6)
    ]


def commented_blog(response: type[Response], *, tells: bool) -> dict[str, Response]:
    """A static blog with isso's widget on every post; the service `tells` the thread as data, or only to its widget."""
    links = "".join(f'<li><a href="/2024/post-{number}/">{title(number)}</a></li>' for number in range(3))
    responses = {"/": response(f"<html><head><title>Static</title></head><body><ul>{links}</ul></body></html>")}
    thread = response(json.dumps({"id": None, "hidden_replies": 0, "replies": replies()}), "application/json")
    for number in range(3):
        path = f"/2024/post-{number}/"
        responses[path] = response(
            f'<html><head><title>{title(number)}</title><script data-isso="/isso/" src="/isso/js/embed.js" defer>'
            f"</script></head><body><article><h1>{title(number)}</h1><time datetime=2024-05-0{number + 1}></time>"
            f'<div class=body>{text(number)}</div></article><section id="isso-thread"></section></body></html>'
        )
        asked = path.replace("/", "%2F")
        responses[f"/isso/?uri={asked}&limit=2"] = thread
        if tells:
            responses[f"/isso/?uri={asked}"] = thread
    responses["/isso/js/embed.js"] = response(_WIDGET, "text/javascript")
    return responses

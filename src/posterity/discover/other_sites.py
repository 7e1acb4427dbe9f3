"""Hosts that many blogs link to and that are no blogs: asking them for a feed would only bother them.

Networks, shops, encyclopedias, code hosts, video and picture hosts, shorteners, counters. A host below one of these is
one of them too, except where people have their blogs on hosts of their own (tumblr, blogspot, wordpress): the list
names none of those. It saves requests; that a site is a blog is decided by its feed.
"""

from __future__ import annotations

_HOSTS = frozenset(
    """
    twitter.com x.com t.co facebook.com fb.com instagram.com threads.net linkedin.com pinterest.com reddit.com
    tiktok.com snapchat.com whatsapp.com telegram.org t.me discord.com discord.gg mastodon.social bsky.app vk.com
    weibo.com xing.com flickr.com 500px.com imgur.com giphy.com gravatar.com youtube.com youtu.be vimeo.com
    dailymotion.com twitch.tv soundcloud.com spotify.com bandcamp.com
    google.com goo.gl bing.com yahoo.com duckduckgo.com baidu.com yandex.ru apple.com microsoft.com mozilla.org
    amazon.com amazon.co.uk amazon.de amazon.fr amazon.co.jp amzn.to ebay.com etsy.com paypal.com paypal.me
    patreon.com ko-fi.com buymeacoffee.com flattr.com
    wikipedia.org wikimedia.org wikidata.org wiktionary.org imdb.com goodreads.com archive.org doi.org arxiv.org
    openstreetmap.org creativecommons.org w3.org schema.org gnu.org
    github.com gitlab.com bitbucket.org sourceforge.net npmjs.com pypi.org stackoverflow.com stackexchange.com
    codepen.io jsfiddle.net wordpress.org jekyllrb.com gohugo.io hexo.io disqus.com feedburner.com feedly.com
    bit.ly tinyurl.com ow.ly is.gd buff.ly wp.me statcounter.com sharethis.com addthis.com addtoany.com
    googletagmanager.com doubleclick.net cloudflare.com jsdelivr.net unpkg.com
    """.split()
)


def is_other_site(host: str) -> bool:
    """Tell whether the host, or one that it belongs to, is known to be no blog."""
    labels = host.lower().partition(":")[0].removeprefix("www.").split(".")
    return any(".".join(labels[place:]) in _HOSTS for place in range(len(labels) - 1))

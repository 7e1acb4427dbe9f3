"""Threads of invented engines: arbitrary names in many languages, and every structure of a thread.

Names cannot help to read them. The comments are those of `comment_engines`.
"""

# ruff: noqa: E501  markup is easier to read in whole lines

from __future__ import annotations

from tests.unit.extraction.comment_engines import Engine

INVENTED: dict[str, Engine] = {
    "german boxes": Engine(
        '<div class="meinung" id="m{number}"><div class="kopf"><span class="absender"><a href="{url}" rel="nofollow">{author}</a></span> '
        '<span class="zeitpunkt">{day} Uhr</span></div><div class="inhalt">{text}</div><a class="knopf" href="#formular">Antworten</a>{kids}</div>',
        '<section class="meinungen"><h3>{count} Meinungen zu „Tides“</h3>',
        "</section>",
        '<div class="antworten">{kids}</div>',
        day="%d.%m.%Y, %H:%M",
    ),
    "german list": Engine(
        '<li class="beitrag"><p class="wer">{author} schrieb am {day}:</p><div class="worte">{text}</div>{kids}</li>',
        "<h2>{count} Kommentare</h2><ul>",
        "</ul>",
        "<ul>{kids}</ul>",
        day="%d.%m.%Y um %H:%M",
    ),
    "dutch list": Engine(
        '<li id="r-{number}"><strong>{author}</strong> <small>{day}</small>{text}<p><a href="#">Beantwoorden</a></p>{kids}</li>',
        '<div class="reacties"><h3>Reacties ({count})</h3><ol>',
        "</ol></div>",
        "<ol>{kids}</ol>",
        day="%d-%m-%Y om %H:%M",
    ),
    "japanese definitions": Engine(
        '<dt><span class="namae">{author}</span> <span class="hizuke">{day}</span></dt><dd>{text}</dd>',
        '<div id="kanso"><h3>コメント ({count})</h3><dl>',
        "</dl></div>",
        day="%Y/%m/%d %H:%M",
        threads=False,
    ),
    "russian table": Engine(
        '<tr><td class="levo"><b>{author}</b><br>{day}</td><td class="pravo">{text}</td></tr>',
        "<h3>Комментарии ({count})</h3><table>",
        "</table>",
        day="%d.%m.%Y %H:%M",
        threads=False,
    ),
    "hashed margins": Engine(
        '<div class="x1a2b xq9z" style="margin-left: {indent}px"><div class="k3j"><span class="zz1">{author}</span><time class="p0o" datetime="{iso}">'
        'some time ago</time></div><div class="w8e">{text}</div><button class="u7y">Reply</button></div>',
        '<div class="c55h"><h2 class="t44">{count} Responses</h2>',
        "</div>",
    ),
    "legends": Engine(
        "<fieldset><legend>{author}, {day}</legend>{text}</fieldset>",
        "<h2>Comments</h2>",
        threads=False,
    ),
    "rules and breaks": Engine(
        "<b>{author}</b> ({day}):<br>{joined}",
        "<h3>Comments</h3><hr>",
        "<hr>",
        day="%Y-%m-%d %H:%M",
        between="<hr>",
        threads=False,
    ),
    "signed below": Engine(
        '{text}<p class="sig">Posted by {author} on {day}</p>',
        "<h3>{count} comments</h3>",
        threads=False,
    ),
    "spanish articles": Engine(
        '<article class="opinion"><header><strong>{author}</strong> <small>{day} h</small></header>{text}<footer><a href="#">Responder</a></footer>{kids}</article>',
        '<section id="opiniones"><h2>{count} comentarios</h2>',
        "</section>",
        '<section class="respuestas">{kids}</section>',
        day="%d/%m/%Y %H:%M",
    ),
    "own elements": Engine(
        "<blog-remark><remark-author>{author}</remark-author><remark-date>{day}</remark-date><remark-body>{text}</remark-body>{kids}</blog-remark>",
        "<blog-remarks><h3>Comments</h3>",
        "</blog-remarks>",
        "<remark-replies>{kids}</remark-replies>",
    ),
    "folded": Engine(
        "<details open><summary>{author} · {day}</summary>{text}{kids}</details>",
        '<div class="dyskusja"><h3>{count} komentarzy</h3>',
        "</div>",
        "<div>{kids}</div>",
        day="%Y-%m-%d %H:%M",
    ),
    "microdata": Engine(
        '<div itemprop="comment" itemscope itemtype="https://schema.org/Comment" id="k{number}"><p>by <span itemprop="author">{author}</span> at '
        '<a href="#k{number}"><time itemprop="dateCreated" datetime="{iso}">{day}</time></a></p><div itemprop="text">{text}</div></div>',
        "<h2>Comments</h2><div>",
        "</div>",
        threads=False,
    ),
    "links to parents": Engine(
        '<div class="msg" id="comment-{number}"><span class="pseudo">{author}</span> <span class="quand">{day}</span>{reply_to}<div class="dit">{text}</div></div>',
        '<div class="messages"><h3>{count} réactions</h3>',
        "</div>",
        day="%d/%m/%Y %H:%M",
    ),
    "french names": Engine(
        '<li><em class="signe">Par <a href="{url}" rel="nofollow">{author}</a>, le {day}</em><div>{at}{joined}</div></li>',
        "<h3>{count} commentaires</h3><ol>",
        "</ol>",
        day="%d/%m/%Y à %H:%M",
    ),
    "chinese boxes": Engine(
        '<div class="liuyan cengji-{depth}"><img class="touxiang" src="a.png" alt="{author}"><span class="mingzi">{author}</span><span class="shijian">{day}</span>'
        '<div class="neirong">{text}</div><a href="javascript:;">回复</a></div>',
        '<div class="liuyanban"><h3>{count} 条评论</h3>',
        "</div>",
        day="%Y-%m-%d %H:%M",
        threads=False,
    ),
    "portuguese": Engine(
        '<div class="recado"><div class="autor-do-recado"><cite>{author}</cite> disse:</div><div class="dia">{day}</div>{text}</div>',
        '<div id="recados"><h3>{count} comentários</h3>',
        "</div>",
        day="%d/%m/%Y às %H:%M",
        threads=False,
    ),
    "a table each": Engine(
        '<table width="100%"><tr><td bgcolor="#cccccc"><font size="1"><b>{author}</b> - {day}</font></td></tr><tr><td><font size="2">{joined}</font></td></tr></table>',
        "<p><b>{count} Comments</b></p>",
        threads=False,
    ),
    "turkish": Engine(
        '<div class="yorumlar-satir"><b class="isim">{author}</b><i class="tarih">{day}</i><div class="metin">{text}</div></div>',
        '<div class="yorumlar"><h3>Yorumlar ({count})</h3>',
        "</div>",
        day="%d.%m.%Y %H:%M",
        threads=False,
    ),
    "nested quotations": Engine(
        "<div><p><i>{day}</i> <b>{author}</b> wrote:</p>{text}{kids}</div>",
        "<h3>Discussion</h3><div>",
        "</div>",
        "<blockquote>{kids}</blockquote>",
    ),
}

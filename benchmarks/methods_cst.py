"""Measures speed and accuracy of cst, mcst, e-mcst and blogbuster, compared with readability-lxml and the papers.

python benchmarks/methods_cst.py speed PAGES.jsonl.xz...   time per page, relative to readability-lxml in the same run
python benchmarks/methods_cst.py size                      time by page size, 10 KB to 5 MB; constant columns are linear
python benchmarks/methods_cst.py blogs FOLDER              Table 2 of document 004, on blogs with truth.json
python benchmarks/methods_cst.py pages PAGES.jsonl.xz...   blog pages for which no rules were written
python benchmarks/methods_cst.py fronts FOLDER INDEX.json  Tables 2 to 4 of document 000, and learned rules
python benchmarks/methods_cst.py dates FILE...             position of Blogger's date headings (document 000, step 4c)
python benchmarks/methods_cst.py nested FOLDER             irrelevant blocks nested in the main block (document 004)
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from posterity.dom import Document, parse, text_of
from posterity.extraction.blogbuster import post_places
from posterity.extraction.blogbuster import posts as blogbuster_posts
from posterity.extraction.blogbuster_rules import PageSearch, RuleStep, rules_named
from posterity.extraction.cst import cst_posts, mcst_posts
from posterity.extraction.e_mcst import markers_of
from posterity.extraction.e_mcst import posts as e_mcst_posts
from posterity.extraction.method import Context, method_named
from posterity.learning.annotated import AnnotatedPost, Annotation, rules_from_annotated
from posterity.text.normal_form import containment, letters_and_digits, token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from posterity.model import Post

Form = TypeVar("Form")

PAGES = 100
POSTS_PER_BLOG = 10
THRESHOLD = 0.9  # 004, section 4: TCS
MAIN_BLOCK = 0.95  # share of the post's words; gold texts from feeds differ from the page in a few
SHORT_LINE = 8  # letters; shorter lines occur inside words of most posts


def speed(files: list[str]) -> None:
    from readability import Document as Readability

    htmls = [page["html"] for name in files for page in _lines(name, PAGES // len(files))]
    markers = [markers_of([parse(html)]) for html in htmls]
    contexts = [Context(options={"markers": found}) for found in markers]
    rows: dict[str, Callable[[int], object]] = {
        "readability-lxml": lambda i: Readability(htmls[i]).summary(),
        "mcst": lambda i: mcst_posts(parse(htmls[i]), Context()),
        "cst": lambda i: cst_posts(parse(htmls[i]), Context()),
        "e-mcst, marker known": lambda i: e_mcst_posts(parse(htmls[i]), contexts[i]),
        "blogbuster published": lambda i: blogbuster_posts(parse(htmls[i]), Context()),
        "blogbuster blogs": lambda i: blogbuster_posts(parse(htmls[i]), Context(options={"rules": "blogs"})),
        "parse alone": lambda i: parse(htmls[i]),
    }
    times = {name: _milliseconds(run, len(htmls)) for name, run in rows.items()}
    print(f"{len(htmls)} pages, {sum(map(len, htmls)) // len(htmls) // 1000} KB on average")
    for name, time_ms in times.items():
        print(f"{name:22} {time_ms:8.2f} ms a page {time_ms / times['readability-lxml']:6.2f} of readability-lxml")


def size(_arguments: list[str]) -> None:
    paragraph = "<p>" + "some words with a <a href='/x'>link</a> and <b>more</b> of them, " * 6 + "</p>\n"
    post = f"<div class='post'><h2 class='title'>One</h2><div class='entry'>{paragraph * 6}</div></div>\n"
    print(f"{'bytes':>10} {'mcst ms/MB':>12} {'e-mcst ms/MB':>13} {'blogbuster ms/MB':>17}")
    for target in (10_000, 50_000, 200_000, 1_000_000, 5_000_000):
        html = f"<body><div id='main'>{post * (target // len(post) + 1)}</div></body>"
        rounds = max(1, 1_000_000 // len(html))
        per_mb = [_milliseconds(run, rounds) / len(html) * 1e6 for run in _runs_on(html)]
        print(f"{len(html):>10,} {per_mb[0]:>12.1f} {per_mb[1]:>13.1f} {per_mb[2]:>17.1f}")


def _runs_on(html: str) -> list[Callable[[int], object]]:
    known = Context(options={"markers": ["div|id|main"]})
    return [
        lambda _: mcst_posts(parse(html), Context()),
        lambda _: e_mcst_posts(parse(html), known),
        lambda _: blogbuster_posts(parse(html), Context(index=True)),
    ]


def blogs(arguments: list[str]) -> None:
    rows: dict[str, tuple[Callable[[Document, Context], tuple[Post, ...]], dict[str, object]]] = {
        "CST*": (cst_posts, {"clean": False}),
        "CST* + cleaner": (cst_posts, {}),
        "mCST": (mcst_posts, {}),
        "E-mCST": (e_mcst_posts, {}),
        "blogbuster published": (blogbuster_posts, {}),
        "blogbuster blogs": (blogbuster_posts, {"rules": "blogs"}),
    }
    scores: dict[str, list[list[float]]] = {name: [] for name in rows}
    for folder in sorted(Path(arguments[0]).iterdir()):
        pages = _posts_of(folder, word_counts)
        markers = markers_of([document for document, _ in pages])
        for name, (method, options) in rows.items():
            context = Context(options={**options, **({"markers": markers} if method is e_mcst_posts else {})})
            found = [(method(document, context), gold) for document, gold in pages]
            scores[name].append([_cosine(word_counts(posts[0].text), gold) if posts else 0.0 for posts, gold in found])
    print(f"{sum(map(len, scores['mCST']))} posts of {len(scores['mCST'])} blogs; the mean over blogs in brackets")
    for name, by_blog in scores.items():
        every = [score for blog in by_blog for score in blog]
        acs, tcs = _mean(every), _mean([score > THRESHOLD for score in every])
        blog_acs = _mean([_mean(blog) for blog in by_blog])
        blog_tcs = _mean([_mean([score > THRESHOLD for score in blog]) for blog in by_blog])
        print(f"{name:22} ACS {acs:.3f} ({blog_acs:.3f})   TCS {tcs:.3f} ({blog_tcs:.3f})")


def pages(arguments: list[str]) -> None:
    rows: dict[str, tuple[Callable[[Document, Context], tuple[Post, ...]], dict[str, object]]] = {
        "CST* + cleaner": (cst_posts, {}),
        "mCST": (mcst_posts, {}),
        "blogbuster published": (blogbuster_posts, {}),
        "blogbuster blogs": (blogbuster_posts, {"rules": "blogs"}),
    }
    scores: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    for page in (page for name in arguments for page in _lines(name, sys.maxsize)):
        if page["gold"].get("body") and (page["tags"]["blog_url"] or page["tags"]["blog_cms"]):
            document, gold = parse(page["html"], page["url"] or ""), word_counts(page["gold"]["body"])
            for name, (method, options) in rows.items():
                found = method(document, Context(options=options))
                text = word_counts(found[0].text if found else "")
                scores[name].append((token_f1(text, gold), _cosine(text, gold)))
    print(f"{len(scores['mCST'])} blog pages")
    for name, found_scores in scores.items():
        f1, tcs = _mean([f1 for f1, _ in found_scores]), _mean([cosine > THRESHOLD for _, cosine in found_scores])
        print(f"{name:22} token F1 {f1:.3f}   TCS {tcs:.3f}")


def fronts(arguments: list[str]) -> None:
    root, index = Path(arguments[0]), json.loads(Path(arguments[1]).read_text())
    pages = {name: _front_page(root / name, entry) for name, entry in index.items()}
    annotated = {name: (document, _annotation(gold)) for name, (document, gold) in pages.items()}
    rules: dict[str, Callable[[str], dict[str, object]]] = {
        "published": lambda _name: {},
        "blogs": lambda _name: {"rules": "blogs"},
        "learned here": lambda name: {"rules_text": rules_from_annotated([annotated[name]])},
        "learned elsewhere": lambda name: {
            "rules_text": rules_from_annotated([annotated[other] for other in annotated if other != name])
        },
    }
    for title, options in rules.items():
        counts: Counter[str] = Counter()
        for name, (document, gold) in pages.items():
            counts += _front_counts(blogbuster_posts(document, Context(index=True, options=options(name))), gold)
        figures = [_precision_recall_f(counts, part) for part in ("post", "title", "date")]
        print(
            f"{title:18}"
            + "".join(
                f"  {part} P {p:.3f} R {r:.3f} F {f:.3f}"
                for part, (p, r, f) in zip(("post", "title", "date"), figures, strict=True)
            )
        )


def dates(files: list[str]) -> None:
    """Count the levels from the post up to its date heading; at 0, it is where the published rule searches."""
    rules = rules_named("published")
    heading = rules.date[-1]
    levels: Counter[str] = Counter()
    for page in (page for name in files for page in _lines(name, sys.maxsize)):
        if "blogger.com" not in page["html"]:
            continue
        search = PageSearch(parse(page["html"]).tree, rules.match)
        places = post_places(search, rules)
        if places:
            node = max(places, key=lambda place: search.density(place.text.node)).nodes[0]
            levels[_levels_up(search, heading, node)] += 1
    print(f"{levels.total()} pages of Blogger with a post: {dict(sorted(levels.items()))}")


def _levels_up(search: PageSearch, heading: RuleStep, node: int) -> str:
    up = 0
    while node > 0:
        if next(search.offers((heading,), node), None):
            return f"{up} levels up"
        node, up = search.tree.parent[node], up + 1
    return "none"


def nested(arguments: list[str]) -> None:
    """Count removed blocks of the main block, separately for irrelevant blocks and blocks of the post.

    The main block is the smallest element with nearly all words of the post. A block is a line of its text. Lines are
    compared by their letters, because gold texts wrap code differently; short lines are ignored.
    """
    names = ("mcst", "e-mcst", "wc-multi", "hybrid")
    by_blog: dict[str, list[Counter[str]]] = {name: [] for name in names}
    posts = 0
    for folder in sorted(Path(arguments[0]).iterdir()):
        pages = _posts_of(folder, str)
        markers = markers_of([document for document, _ in pages])
        for counters in by_blog.values():
            counters.append(Counter())
        for place, (document, gold) in enumerate(pages):
            blocks = _nested_blocks(document, gold)
            posts += bool(blocks)
            others = tuple(other for number, (other, _) in enumerate(pages) if number != place)
            context = Context(
                site=others, reference=others[0] if others else None, options={"markers": markers} if others else {}
            )
            for name, counters in by_blog.items():
                found = method_named(name)(document, _for(name, context))
                counters[-1] += _removed(blocks, found[0].text if found else "")
    print(f"{posts} posts; irrelevant blocks removed, blocks of the post wrongly removed; mean over blogs in brackets")
    for name, counters in by_blog.items():
        shares = []
        for part, whole in (("out", "irrelevant"), ("lost", "relevant")):
            hits, every = (sum(one[key] for one in counters) for key in (part, whole))
            mean = _mean([one[part] / one[whole] for one in counters if one[whole]])
            shares.append(f"{hits:5} of {every:5} = {hits / max(1, every):.3f} ({mean:.3f})")
        print(f"{name:22} {'   '.join(shares)}")


def _for(name: str, context: Context) -> Context:
    return context if name == "e-mcst" else Context(site=context.site, reference=context.reference)


def _nested_blocks(document: Document, gold: str) -> list[tuple[str, bool]]:
    """Return the lines of the main block, and whether each is part of the post."""
    tree, wanted = document.tree, word_counts(gold)
    node, below = 0, [0]
    while below:
        node = below[0]
        below = [
            child
            for child in range(node + 1, tree.end[node])
            if tree.parent[child] == node and containment(wanted, word_counts(text_of(tree, child))) >= MAIN_BLOCK
        ]
    lines = [letters_and_digits(line) for line in text_of(tree, node).splitlines()]
    letters = letters_and_digits(gold)
    return [(line, line in letters) for line in lines if len(line) >= SHORT_LINE]


def _removed(blocks: list[tuple[str, bool]], text: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    letters = letters_and_digits(text)
    for line, relevant in blocks:
        counted["relevant" if relevant else "irrelevant"] += 1
        counted["lost" if relevant else "out"] += line not in letters
    return counted


def _front_counts(found: tuple[Post, ...], gold: list[dict[str, Any]]) -> Counter[str]:
    """Count right posts, titles and dates; a post is right if its text (maybe an excerpt) or its title matches."""
    counts = Counter(post_given=len(found), title_given=sum(bool(post.title) for post in found), gold=len(gold))
    counts["date_given"] = sum(post.published is not None for post in found)
    left = list(found)
    for wanted in gold:
        words = word_counts(wanted["text"])
        scored = [(_likeness(post, wanted, words), -place, post) for place, post in enumerate(left)]
        score, _, best = max(scored, default=(0.0, 0, None), key=lambda item: item[:2])
        if best is None or score < 0.8:
            continue
        left.remove(best)
        counts["post"] += 1
        counts["title"] += _same(best.title, wanted["title"])
        counts["date"] += bool(
            best.published and wanted["date"] and best.published.date().isoformat() == wanted["date"][:10]
        )
    return counts


def _likeness(post: Post, wanted: dict[str, Any], words: Counter[str]) -> float:
    own = word_counts(post.text)
    return containment(own, words) * min(1.0, own.total() / 10) + _same(post.title, wanted["title"])


def _same(left: str | None, right: str | None) -> bool:
    return bool(left and right) and letters_and_digits(left or "") == letters_and_digits(right or "")


def _precision_recall_f(counts: Counter[str], part: str) -> tuple[float, float, float]:
    precision, recall = counts[part] / max(1, counts[f"{part}_given"]), counts[part] / counts["gold"]
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _front_page(folder: Path, entry: dict[str, Any]) -> tuple[Document, list[dict[str, Any]]]:
    truth = json.loads((folder / "truth.json").read_text())
    by_path = {post["path"]: post for post in truth["posts"]}
    gold = [{**post, "text": by_path[post["path"]]["text"] or ""} for post in entry["posts"] if post["path"] in by_path]
    return parse((folder / entry["file"]).read_bytes(), truth["base_url"].rstrip("/") + entry["entry"]), gold


def _annotation(gold: list[dict[str, Any]]) -> Annotation:
    return Annotation(
        posts=tuple(AnnotatedPost(text=post["text"], title=post["title"], date=post["date"]) for post in gold)
    )


def _posts_of(folder: Path, form: Callable[[str], Form]) -> list[tuple[Document, Form]]:
    truth = json.loads((folder / "truth.json").read_text())
    posts = [
        post
        for post in truth["posts"]
        if post.get("text") and post.get("file") and (folder / "site" / post["file"]).exists()
    ]
    chosen = posts[:: max(1, len(posts) // POSTS_PER_BLOG)][:POSTS_PER_BLOG]
    base = truth["base_url"].rstrip("/")
    return [
        (parse((folder / "site" / post["file"]).read_bytes(), base + post["path"]), form(post["text"]))
        for post in chosen
    ]


def _cosine(left: Counter[str], right: Counter[str]) -> float:
    product = sum(count * left[word] for word, count in right.items())
    lengths = sqrt(sum(count * count for count in left.values()) * sum(count * count for count in right.values()))
    return product / lengths if lengths else 0.0


def _lines(name: str, count: int) -> Iterable[dict[str, Any]]:
    with lzma.open(name, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(count), lines, strict=False):
            yield json.loads(line)


def _milliseconds(run: Callable[[int], object], count: int) -> float:
    started = perf_counter()
    for index in range(count):
        run(index)
    return (perf_counter() - started) * 1000 / count


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


COMMANDS = {
    "speed": speed,
    "size": size,
    "blogs": blogs,
    "pages": pages,
    "fronts": fronts,
    "dates": dates,
    "nested": nested,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](sys.argv[2:])

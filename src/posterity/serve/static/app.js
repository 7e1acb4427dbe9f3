// All JavaScript of these pages: forms that start jobs, jobs shown live, rules corrected by pointing at elements.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Send JSON and return the response; a problem of the server becomes an error with its message. */
async function send(url, body, method = "POST") {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  let value = {};
  try { value = JSON.parse(text); } catch { /* a proxy's own words */ }
  if (!response.ok) throw new Error(value.detail || `${response.status} ${response.statusText}`);
  return value;
}

function showStatus(place, text, bad = false) {
  if (!place) return;
  place.textContent = text;
  place.classList.toggle("bad", bad);
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Disable a form while its job is being requested. */
async function asking(form, work) {
  const buttons = $$("button", form);
  for (const button of buttons) button.disabled = true;
  try { await work(); } catch (problem) { showStatus($(".status", form) || form.parentElement, problem.message, true); }
  for (const button of buttons) button.disabled = false;
}

for (const form of $$("form[data-job]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    asking(form, async () => {
      showStatus($(".status", form), "Starting");
      const job = await send("/api/v1/jobs", { kind: form.dataset.job, ...Object.fromEntries(new FormData(form)) });
      location.assign(`/jobs/${job.id}`);
    });
  });
}

for (const form of $$("form[data-schedule]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    asking(form, async () => {
      const { mode, number, unit } = Object.fromEntries(new FormData(form));
      const planned = await send(form.dataset.schedule, mode === "every" ? { mode, hours: number * unit } : { mode }, "PUT");
      const due = planned.schedule.mode === "paused" ? "paused" : `next on ${new Date(planned.due_at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`;
      showStatus($(".status", form), `Saved: ${due}`);
    });
  });
  for (const part of $$("[name=number], [name=unit]", form)) {
    part.addEventListener("input", () => { $("[value=every]", form).checked = true; });
  }
}

// The key / leads to the search, as on many sites.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  $(".top input[type=search]").focus();
});

// --- one job, live

function followed(job, listeners) {
  const source = new EventSource(`/api/v1/jobs/${job}/events`);
  for (const [name, handle] of Object.entries(listeners)) {
    source.addEventListener(name, (event) => {
      handle(JSON.parse(event.data));
      if (name === "over") source.close();
    });
  }
  return source;
}

const live = $("[data-follow]");
if (live) follow(live);

function follow(page) {
  const status = $(".status", page), bar = $("progress", page);
  const figure = (name, value) => {
    const place = $(`[data-figure=${name}]`, page);
    if (place) place.textContent = Number(value).toLocaleString("en");
  };
  const line = (list, item) => {
    if (!list) return;
    for (const empty of $$(".muted:only-child", list)) empty.remove();
    list.prepend(item);
    while (list.children.length > 200) list.lastChild.remove();
  };
  const counted = (value) => {
    if (value.posts !== undefined) figure("posts", value.posts);
    if (value.pages !== undefined) { figure("pages", value.pages); figure("known", value.known); }
    if (value.known) { bar.max = value.known; bar.value = value.pages ?? value.posts ?? 0; }
    if (value.sources) named(value.sources);
  };
  const named = (sources) => {
    $(".counts", page)?.replaceChildren(...Object.entries(sources).map(([source, count]) => {
      const item = element("li");
      item.append(element("span", source), element("b", Number(count).toLocaleString("en"), { title: "posts named" }));
      return item;
    }));
  };
  followed(page.dataset.follow, {
    started: () => showStatus(status, "Fetching the blog"),
    feed: (feed) => {
      line($(".sources", page), element("li", `${feed.format} feed, ${feed.entries} entries: ${feed.url}`));
      showStatus(status, "Learning from the feed");
    },
    rules: (learned) => {
      const list = $(".rules", page);
      if (!list) return;
      list.replaceChildren();
      for (const rule of learned.rules) {
        const item = element("li", "", {});
        item.append(element("span", rule.field), element("code", rule.rule),
          element("b", `${Math.round(rule.confidence * 100)} %`, { title: "confidence" }));
        list.append(item);
      }
      showStatus(status, `Rules learned from ${learned.evidence} pages; visiting the blog`);
    },
    page: counted,
    post: (post) => {
      counted({ posts: post.posts });
      const item = element("li", "", { class: "fresh" });
      item.append(post.id ? element("a", post.title || post.url, { href: `/posts/${post.id}` }) : element("span", post.title || post.url),
        " ", element("small", post.state === "new" ? "" : post.state));
      line($(".stream", page), item);
    },
    written: (count) => { counted({ posts: count.posts, known: count.of }); showStatus(status, `${count.posts} posts written`); },
    gone: (post) => line($(".stream", page), element("li", `${post.url} is no longer online`)),
    drifted: (drift) => line($(".sources", page), element("li", `The blog's markup has changed: ${drift.failing} of ${drift.pages} new posts`)),
    pageerror: (problem) => line($(".sources", page), element("li", `${problem.url}: ${problem.error}`, { class: "bad" })),
    over: (end) => {
      bar.max = 1; bar.value = end.state === "done" ? 1 : bar.value;
      for (const waiting of $$(".live .muted:only-child", page)) waiting.textContent = "None";
      showStatus(status, end.state === "done" ? "Done" : end.problem || end.state, end.state === "failed");
      const stop = $("[data-stop]", page);
      if (stop) stop.hidden = true;
      const sources = end.result?.report?.sources;
      if (Array.isArray(sources)) named(Object.fromEntries(sources.map((source) => [source.source, source.listed])));
      const open = $("[data-when-done]", page);
      if (end.result && end.result.blog) {
        open.href = `/blogs/${end.result.blog}`;
        open.textContent = "Open the blog";
        open.hidden = false;
      } else if (end.result && end.result.name) {
        open.href = `/api/v1/jobs/${page.dataset.follow}/file`;
        open.textContent = `Download ${end.result.name}`;
        open.hidden = false;
      }
    },
  });
  const stop = $("[data-stop]", page);
  if (stop) stop.addEventListener("click", () => fetch(`/api/v1/jobs/${page.dataset.follow}`, { method: "DELETE" }));
}

// --- exports, with progress beside the buttons

for (const form of $$("form[data-export]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    const row = element("p", `${values.format}: starting`);
    $(".exported").prepend(row);
    send("/api/v1/jobs", { kind: "export", ...values }).then((job) => followed(job.id, {
      written: (count) => {
        row.replaceChildren(`${values.format}: ${count.posts} of ${count.of} posts`,
          element("progress", undefined, { max: count.of || 1, value: count.posts, "aria-label": `Export as ${values.format}` }));
      },
      over: (end) => {
        if (end.state !== "done") { showStatus(row, `${values.format}: ${end.problem}`, true); return; }
        row.replaceChildren(element("a", `Download ${end.result.name}`, { href: `/api/v1/jobs/${job.id}/file`, download: "" }),
          ` ${(end.result.bytes / 1024).toLocaleString("en", { maximumFractionDigits: 0 })} KB`);
      },
    })).catch((problem) => showStatus(row, `${values.format}: ${problem.message}`, true));
  });
}

// --- the live demo

for (const form of $$("form[data-demo]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    asking(form, async () => {
      showStatus($(".status", form), "Reading the page");
      const data = new FormData(form);
      const request = { url: data.get("url"), html: data.get("html"), methods: data.getAll("methods"), index: data.has("index") };
      location.assign((await send("/demo", request)).href);
    });
  });
}

// --- correcting rules: the frame has no origin, so a message counts only if it comes from that very window

for (const place of $$("[data-correct]")) {
  const frame = $("iframe", place), panel = $(".proposal", place), status = $(".status", place);
  let node = null, proposed = null;
  const field = () => $("input[name=field]:checked", place).value;

  async function tryRule(keep = false) {
    if (node === null) return;
    showStatus(status, "Trying the rule on the other pages");
    try {
      proposed = await send(place.dataset.try, place.dataset.post
        ? { post: place.dataset.post, node, field: field() } : { node, field: field(), keep });
      show(proposed);
    } catch (problem) { panel.hidden = true; showStatus(status, problem.message, true); }
  }

  function show(found) {
    showStatus(status, "");
    panel.hidden = false;
    $("[data-rule]", panel).textContent = found.rule;
    const verdict = $("[data-verdict]", panel);
    verdict.textContent = `fits ${found.fits} of ${found.pages} pages`;
    verdict.classList.toggle("few", found.fits * 2 < found.pages);
    $("[data-trials]", panel).replaceChildren(...found.trials.slice(0, 40).map((trial) => {
      const row = element("tr", undefined, trial.fits ? {} : { class: "unfit" });
      row.append(element("td", decodeURI(new URL(trial.url).pathname)), element("td", trial.before || "nothing"), element("td", trial.after || "nothing"));
      return row;
    }));
  }

  window.addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || !Number.isInteger(event.data?.node)) return;
    if (event.data.posterity === "moved") showStatus(status, `At: ${String(event.data.text).slice(0, 80)}`);
    if (event.data.posterity !== "chosen") return;
    node = event.data.node;
    tryRule();
  });
  for (const choice of $$("input[name=field]", place)) choice.addEventListener("change", () => tryRule());
  $("[data-save]", place).addEventListener("click", async () => {
    try {
      if (place.dataset.demoId) { await tryRule(true); location.reload(); return; }
      const saved = await send(place.dataset.saveTo, JSON.stringify(proposed.rules), "PUT");
      showStatus(status, `Saved as version ${saved.version}. Extracting the stored pages again`);
      const job = await send("/api/v1/jobs", { kind: "reextract", blog: place.dataset.blog });
      location.assign(`/jobs/${job.id}`);
    } catch (problem) { showStatus(status, problem.message, true); }
  });
}

// The only script in an archived page: sends the page around it the element that was pointed at, by mouse or keyboard.
(() => {
  const send = (what, element) => parent.postMessage(
    { posterity: what, node: Number(element.dataset.node), text: element.textContent.trim().replace(/\s+/g, " ").slice(0, 80) }, "*");
  const choose = (element) => {
    for (const other of document.querySelectorAll("[data-chosen]")) other.removeAttribute("data-chosen");
    element.setAttribute("data-chosen", "");
    send("chosen", element);
  };
  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-node]");
    if (!element) return;
    event.preventDefault();
    choose(element);
  }, true);

  // With keys: down and up go through the page, left to the element around, right into it, Enter chooses.
  const body = document.body;
  let cursor = null;
  body.tabIndex = 0;
  const stops = () => [...body.querySelectorAll("[data-node]")].filter((one) => one.textContent.trim() && one.getClientRects().length);
  const beside = (step) => {
    const all = stops();
    return all[cursor ? all.indexOf(cursor) + step : step > 0 ? 0 : all.length - 1];
  };
  const ways = {
    ArrowDown: () => beside(1),
    ArrowUp: () => beside(-1),
    ArrowLeft: () => cursor?.parentElement?.closest("body [data-node]"),
    ArrowRight: () => stops().find((one) => cursor && one !== cursor && cursor.contains(one)),
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && cursor) { event.preventDefault(); choose(cursor); return; }
    const next = ways[event.key]?.();
    if (!(event.key in ways)) return;
    event.preventDefault();
    if (!next) return;
    cursor?.removeAttribute("data-cursor");
    cursor = next;
    cursor.setAttribute("data-cursor", "");
    cursor.scrollIntoView({ block: "nearest" });
    send("moved", cursor);
  });

  const style = document.createElement("style");
  style.textContent = "[data-node]{cursor:pointer}[data-node]:hover:not(:has([data-node]:hover)){background:rgba(212,36,95,.12)!important}"
    + "[data-cursor]{outline:3px dashed #d4245f!important;outline-offset:3px}body:focus{outline:none}";
  document.head.append(style);
})();

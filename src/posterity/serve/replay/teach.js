// The only script in a page of somebody else's: tells the page around it which element was pointed at.
(() => {
  const told = (event) => {
    const element = event.target.closest("[data-node]");
    if (!element) return;
    event.preventDefault();
    for (const other of document.querySelectorAll("[data-chosen]")) other.removeAttribute("data-chosen");
    element.setAttribute("data-chosen", "");
    parent.postMessage({ posterity: "chosen", node: Number(element.dataset.node) }, "*");
  };
  document.addEventListener("click", told, true);
  const style = document.createElement("style");
  style.textContent = "[data-node]{cursor:pointer}[data-node]:hover:not(:has([data-node]:hover)){background:rgba(212,36,95,.12)!important}";
  document.head.append(style);
})();

// Runs before the first press: fetches the page's script, starts it at the first sign of a hand, keeps
// presses until then. Minified into every page by vite.config.ts.
(() => {
  const script = document.currentScript.dataset.alive;
  const hands = ["pointermove", "pointerdown", "keydown", "focusin", "input"];
  /** Fetched earlier, it would compete with the typefaces. */
  const paintMs = 500;
  const presses = new Set();
  let isWaking = false;
  let isRefused = false;
  let failures = 0;
  let failedAt = -Infinity;

  function onHand({ type, target, movementX, movementY }) {
    // Chromium sends a move for a page under a resting pointer.
    if (
      type === "pointermove" &&
      ((!movementX && !movementY) || performance.now() - failedAt < 5_000)
    )
      return;
    // Links work without the script.
    const link = target.closest?.("a[href]:not([data-booking])");
    if (link && (type === "pointerdown" || type === "focusin")) return;
    wake();
  }

  /** The document may not be whole yet. */
  function wake() {
    if (isWaking) return;
    isWaking = true;
    if (document.readyState === "loading")
      addEventListener("DOMContentLoaded", begin, { once: true });
    else begin();
  }

  function begin() {
    addWidget();
    // The browser remembers a failure by address.
    import(failures ? `${script}?${failures}` : script).then(letHandsGo, refuse);
  }

  function letHandsGo() {
    for (const hand of hands) removeEventListener(hand, onHand, true);
  }

  /** The page then works without scripts; the next hand tries again. */
  function refuse() {
    failures += 1;
    failedAt = performance.now();
    isWaking = false;
    isRefused = true;
    for (const element of presses) {
      element.removeAttribute("aria-busy");
      element.click();
    }
    isRefused = false;
    presses.clear();
  }

  function keep(event) {
    const element = event.target.closest?.("[data-press]");
    if (!element || isRefused) return;
    event.preventDefault();
    element.setAttribute("aria-busy", "true");
    presses.delete(element);
    presses.add(element);
    wake();
  }

  function widget() {
    return document.getElementById("booking-widget");
  }

  function addWidget() {
    const waiting = widget();
    if (waiting) document.head.append(waiting.content);
  }

  function rest() {
    if (widget() && !("standIn" in widget().dataset)) addWidget();
    if (isWaking || navigator.connection?.saveData) return;
    const link = document.createElement("link");
    document.head.append(
      Object.assign(link, { rel: "modulepreload", href: script, fetchPriority: "low" }),
    );
    // WebKit knows no rel=prefetch.
    for (const { src, href } of widget()?.content.children ?? []) {
      fetch(src ?? href, { priority: "low" })
        .then((answer) => answer.text())
        .catch(() => {});
    }
  }

  for (const hand of hands) addEventListener(hand, onHand, { capture: true, passive: true });
  addEventListener("click", keep, true);
  addEventListener("load", () => {
    setTimeout(() => (window.requestIdleCallback ?? setTimeout)(rest, { timeout: 2_000 }), paintMs);
  });
  window.keptPresses = presses;
})();

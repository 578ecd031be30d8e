// The one script that runs before a visitor's hand. It fetches the page's script in the background, starts it at the first
// sign of a hand, and keeps presses that need it until then. It is written into every page, minified by vite.config.ts.
(() => {
  const script = document.currentScript.dataset.alive;
  const hands = ["pointermove", "pointerdown", "keydown", "focusin", "input"];
  /** From the load to the last paint: what is fetched before takes the line from the typefaces that it waits for. */
  const paintMs = 500;
  /** Pressed elements, in the order of their last press. */
  const presses = new Set();
  let isWaking = false;
  let isRefused = false;
  let failures = 0;
  let failedAt = -Infinity;

  function onHand({ type, target, movementX, movementY }) {
    // Chromium tells a page that opens under a resting pointer of a move. A moving one alone doesn't ask again at once.
    if (
      type === "pointermove" &&
      ((!movementX && !movementY) || performance.now() - failedAt < 5_000)
    )
      return;
    // A press on a link is the document's alone.
    const link = target.closest?.("a[href]:not([data-booking])");
    if (link && (type === "pointerdown" || type === "focusin")) return;
    wake();
  }

  /** The script reads the whole document, of which a slow line may have brought a part alone. */
  function wake() {
    if (isWaking) return;
    isWaking = true;
    if (document.readyState === "loading")
      addEventListener("DOMContentLoaded", begin, { once: true });
    else begin();
  }

  function begin() {
    addWidget();
    // The browser keeps a module's failure under its address.
    import(failures ? `${script}?${failures}` : script).then(letHandsGo, refuse);
  }

  function letHandsGo() {
    for (const hand of hands) removeEventListener(hand, onHand, true);
  }

  /** Where its script doesn't come, the page does what it does without scripts. The next hand asks for it again. */
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

  /** The scheduling provider's, which waits in a template until the page is at rest. */
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
    // Not by a link: WebKit knows no rel=prefetch.
    for (const { src, href } of widget()?.content.children ?? []) {
      fetch(src ?? href, { priority: "low" })
        .then((answer) => answer.text())
        .catch(() => {});
    }
  }

  for (const hand of hands) addEventListener(hand, onHand, { capture: true, passive: true });
  addEventListener("click", keep, true);
  addEventListener("load", () => {
    setTimeout(() => (window.requestIdleCallback ?? setTimeout)(rest), paintMs);
  });
  window.keptPresses = presses;
})();

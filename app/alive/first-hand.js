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
    // Links and bookings work without the script, which would delay their answer.
    const link = target.closest?.("a[href], [data-booking], dialog");
    if (link && (type === "pointerdown" || type === "focusin")) {
      if (link.dataset.booking) addWidget();
    } else wake();
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

  /** False before the widget has loaded (specification, section 4). */
  function openPopup({ dataset }) {
    if (!window.Calendly?.initPopupWidget) return false;
    window.Calendly.initPopupWidget({ url: dataset.booking, prefill: {}, utm: {} });
    return true;
  }

  /** A person may be quicker than the widget. Nothing opens by itself later. */
  async function book(event) {
    const pressed = event.target.closest?.("[data-booking]");
    if (!pressed) return;
    if (pressed.matches("a")) {
      const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
      if (!opensElsewhere && openPopup(pressed)) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (pressed.hasAttribute("aria-busy")) return;
    const until = performance.now() + 1_000;
    pressed.setAttribute("aria-busy", "true");
    while (!openPopup(pressed) && performance.now() < until) {
      addWidget();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    pressed.removeAttribute("aria-busy");
  }

  /** Styles time the rest: app/drawings/telephone.tsx. */
  function play({ target }) {
    const telephone = target.closest?.("[data-plays]")?.closest(".telephone");
    if (!telephone) return;
    telephone.classList.remove("playing");
    // Laid out in between, it begins anew.
    telephone.querySelector(".talk").scrollIntoView({ block: "nearest" });
    telephone.classList.add("playing");
  }

  /** Tabs by the ARIA Authoring Practices, with automatic selection. */
  function choose(chosen) {
    for (const tab of chosen.parentElement.children) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
  }

  function chooseByKey(event) {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    // The browser's history keys.
    if (!target.matches?.("[role=tab]") || altKey || ctrlKey || metaKey) return;
    const tabs = [...target.parentElement.children];
    const at = tabs.indexOf(target);
    const places = { ArrowLeft: at - 1, ArrowRight: (at + 1) % tabs.length, Home: 0, End: -1 };
    const next = tabs.at(places[key] ?? tabs.length);
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
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
  addEventListener("click", ({ target }) => {
    const tab = target.closest?.("[role=tab]");
    if (tab) choose(tab);
  });
  addEventListener("keydown", chooseByKey);
  // A link to a panel chooses its tab.
  addEventListener("DOMContentLoaded", () => {
    const panel = CSS.escape(location.hash.slice(1));
    const tab = document.querySelector(`[role=tab][aria-controls="${panel}"]`);
    if (!tab) return;
    choose(tab);
    tab.scrollIntoView();
  });
  addEventListener("click", play);
  addEventListener("click", book);
  addEventListener("load", () => {
    setTimeout(() => (window.requestIdleCallback ?? setTimeout)(rest, { timeout: 2_000 }), paintMs);
  });
  window.keptPresses = presses;
})();

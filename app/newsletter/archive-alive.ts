import { newsletter } from "#content/pages/newsletter.ts";

/** A faster answer is shown without a skeleton, which would only flash. */
const quietMs = 120;

/** The archive's dropdown, its skeleton while another issue loads, and pictures that are missing in an issue. */
export function bringArchiveAlive(): void {
  const forms = document.querySelectorAll<HTMLFormElement>(".issue-pane form, .issue-choice");
  for (const form of forms) form.addEventListener("submit", showSkeletonIfSlow);
  const select = document.querySelector<HTMLSelectElement>(".issue-choice select");
  if (select) bringChoiceAlive(select);
  for (const picture of document.querySelectorAll<HTMLImageElement>(".issue-body img")) {
    picture.addEventListener("error", () => showWords(picture));
    if (picture.complete && !picture.naturalWidth) showWords(picture);
  }
}

/**
 * What is chosen from the open list shows at once; arrow keys in the closed list only move through it, until Enter or the
 * button.
 */
function bringChoiceAlive(select: HTMLSelectElement): void {
  const form = select.form as HTMLFormElement;
  const shown = select.querySelector<HTMLOptionElement>("[selected]")?.value ?? "";
  let lastKey = "";

  function open() {
    if (select.value === shown) return;
    // The latest issue's address has no query.
    if (select.value) form.requestSubmit();
    else {
      location.assign(form.action);
      showSkeletonIfSlow();
    }
  }
  select.addEventListener("pointerdown", () => {
    lastKey = "";
  });
  select.addEventListener("keydown", ({ key }) => {
    lastKey = key;
    if (key === "Enter") open();
  });
  select.addEventListener("change", () => {
    if (["", " ", "Enter"].includes(lastKey)) open();
  });
  // On the way back, the list says what is shown.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) select.value = shown;
  });
  // A visitor may have chosen before the script came.
  open();
}

/** Shows the issue again: another is chosen meanwhile, the page is left, or the visitor has stopped the loading. */
let endLoading = () => {};

function showSkeletonIfSlow(): void {
  endLoading();
  const pane = document.querySelector<HTMLElement>(".issue-pane");
  const line = document.querySelector(".paper-bar [aria-live]");
  const shown = line?.textContent ?? "";
  const show = (isBusy: boolean) => {
    if (pane) pane.ariaBusy = isBusy ? "true" : null;
    if (line) line.textContent = isBusy ? newsletter.archive.loading : shown;
  };
  const ended = new AbortController();
  const { signal } = ended;
  const timer = setTimeout(() => {
    show(true);
    // The browser's button to stop. Older browsers tell of its key alone.
    window.navigation?.addEventListener("navigateerror", endLoading, { signal });
  }, quietMs);
  endLoading = () => {
    clearTimeout(timer);
    show(false);
    ended.abort();
  };
  // The browser may keep the page for the way back.
  window.addEventListener("pagehide", endLoading, { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && endLoading(), { signal });
}

/**
 * Replaces a broken picture by its alternative text. WebKit shows that only if it fits on one line; the other engines
 * draw a similar box (paper.css).
 */
function showWords(picture: HTMLImageElement): void {
  const words = document.createElement("span");
  words.className = "issue-missing";
  words.textContent = picture.alt;
  if (words.textContent.trim()) picture.replaceWith(words);
}

import { newsletter } from "#content/pages/newsletter.ts";

/** A faster answer would make a skeleton flash. */
const quietMs = 120;

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

/** Arrow keys in the closed list only move; Enter or the button opens. */
function bringChoiceAlive(select: HTMLSelectElement): void {
  const form = select.form as HTMLFormElement;
  const shown = select.querySelector<HTMLOptionElement>("[selected]")?.value ?? "";
  let lastKey = "";

  function open() {
    if (select.value === shown) return;
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
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) select.value = shown;
  });
  // The page that a choice opened continues where it was made.
  if (location.hash === `#${select.id}`) {
    select.focus({ preventScroll: true });
    history.replaceState(null, "", location.pathname + location.search);
  }
  // A choice from before the script came.
  open();
}

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
    // Older browsers only report the key.
    window.navigation?.addEventListener("navigateerror", endLoading, { signal });
  }, quietMs);
  endLoading = () => {
    clearTimeout(timer);
    show(false);
    ended.abort();
  };
  // The browser may cache the page.
  window.addEventListener("pagehide", endLoading, { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && endLoading(), { signal });
}

/** WebKit shows the alternative text only if it fits on one line. */
function showWords(picture: HTMLImageElement): void {
  const words = document.createElement("span");
  words.className = "issue-missing";
  words.textContent = picture.alt;
  if (words.textContent.trim()) picture.replaceWith(words);
}

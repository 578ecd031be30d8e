import { useEffect, useRef } from "react";

type PreviewProps = {
  title: string;
  src: string;
  typed: FormData | null;
  version: string;
  chosen: string | null;
  onPress: (words: string, pressed: { word: string; field: string } | null) => void;
};

export function SitePagePreview({ title, src, typed, version, chosen, onPress }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef({ onPress, chosen });
  useEffect(() => {
    latest.current = { onPress, chosen };
  });

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let watched: Document | null = null;
    function press(event: Event): void {
      event.preventDefault();
      const target = event.target as HTMLElement;
      const sentence =
        target.closest<HTMLElement>("[data-word]") ??
        target.querySelector<HTMLElement>("[data-word]");
      const { word = "", field = "" } = sentence?.dataset ?? {};
      const words = (target.textContent ?? "").replace(/\s+/g, " ").trim();
      if (word) latest.current.onPress(words, { word, field });
      // A press on a whole section means none of its sentences.
      else if (words !== "" && words.length < 400) latest.current.onPress(words, null);
    }
    function pressByKey(event: KeyboardEvent): void {
      if (event.key === "Enter") press(event);
    }
    function attend(): void {
      const page = element?.contentDocument;
      if (!page?.body?.childElementCount || page === watched) return;
      watched = page;
      page.addEventListener("click", press);
      page.addEventListener("keydown", pressByKey);
      show(page, latest.current.chosen);
    }
    attend();
    element.addEventListener("load", attend);
    return () => {
      element.removeEventListener("load", attend);
      watched?.removeEventListener("click", press);
      watched?.removeEventListener("keydown", pressByKey);
    };
  }, []);

  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page) show(page, chosen);
  }, [chosen]);

  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is made anew when either changes.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const gone = new AbortController();
    const { signal } = gone;
    const timer = setTimeout(async () => {
      const asked = { method: typed ? "POST" : "GET", body: typed, signal };
      const html = await fetch(src, asked)
        .then((answer) => (answer.ok ? answer.text() : null))
        .catch(() => null);
      if (html === null) return;
      const made = new DOMParser().parseFromString(html, "text/html");
      const page = frame.current?.contentDocument;
      if (!page?.body || signal.aborted) return;
      page.body.innerHTML = made.body.innerHTML;
      mark(page, latest.current.chosen);
    }, 150);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [typed, version]);

  return <iframe ref={frame} className="preview" title={title} src={src} />;
}

function mark(page: Document, chosen: string | null): HTMLElement | null {
  const all = [...page.querySelectorAll<HTMLElement>("[data-word]")];
  for (const each of all) {
    each.classList.toggle("chosen", each.dataset.word === chosen);
    if (!each.closest("a")) each.tabIndex = 0;
  }
  return all.find((each) => each.dataset.word === chosen) ?? null;
}

function show(page: Document, chosen: string | null): void {
  const sentence = mark(page, chosen);
  const { top = 0, bottom = 0 } = sentence?.getBoundingClientRect() ?? {};
  const height = page.defaultView?.innerHeight ?? 0;
  if (sentence && (top < 0 || bottom > height)) {
    page.defaultView?.scrollBy({ top: top - height / 3 });
  }
}

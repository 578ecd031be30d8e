/** A key that is pressed and let go, by the name that both drivers know it by. */
export type KeyName = "Tab" | "Enter" | "Escape" | "ArrowRight" | "ArrowLeft" | "End";

/** What can be given to the page and comes back from it. */
export type Json = string | number | boolean | null | readonly Json[] | { [key: string]: Json };

export type TabOptions = {
  /** False for a visitor whose browser runs none of the page's scripts. */
  scripts?: boolean;
};

/** A window of a browser that Playwright doesn't drive: as much of one as the tests of every engine need. */
export type Tab = {
  /** Opens a page and waits for its scripts, if they run. */
  open(address: string): Promise<void>;
  /** Runs a function in the page, by its source: it sees nothing of the test but its parameters. */
  run<Parameters extends Json[], Answer>(
    script: (...parameters: Parameters) => Answer,
    ...parameters: Parameters
  ): Promise<Awaited<Answer>>;
  /** Runs a script in the page that its policy would stop if the page itself had it. */
  inject(source: string): Promise<void>;
  /** The size of the page's own area, in CSS pixels. */
  resize(widthPx: number, heightPx?: number): Promise<void>;
  press(key: KeyName): Promise<void>;
  type(text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Moves the pointer onto the middle of an element. */
  hover(selector: string): Promise<void>;
  /** The window as it looks, as a PNG. */
  screenshot(): Promise<Buffer>;
  /** What the console, the page's scripts and its policy complained of since the window was opened. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
};

/** Longest that a page may take to have its scripts up: these run beside another browser on a small machine. */
export const scriptsTimeoutMs = 10_000;

/** Runs in the page: whether its scripts have taken over. */
export function scriptsAreUp(): boolean {
  const toggle = document.querySelector(".menu-toggle");
  return !toggle || toggle.hasAttribute("aria-expanded");
}

/**
 * Runs in the page: brings an element to the middle of the window, clear of what sticks to its edges, and tells where
 * its own middle is. At once, since nothing waits in a page without scripts.
 */
export function middleOf(selector: string): { x: number; y: number } {
  const element = document.querySelector(selector);
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
  return { x: x + width / 2, y: y + height / 2 };
}

/** Opens the booking from any page ; without scripts, the contact page. */
export const wayToBooking = ".site-header-bar > a[href='/contact']";

/** Stops of the Tab key to it: the skip link, the firm's name, and it. */
export const stopsToBooking = 3;

/** Runs in the page, in which Tab was pressed as often: what keeps the keyboard or a finger from the way to the booking. */
export function wayToBookingFaults(selector: string): string[] {
  /** The least that a finger hits (WCAG 2.5.5), in CSS pixels. */
  const leastTargetPx = 44;
  const way = document.querySelector(selector);
  if (!way) return ["there is none"];
  const found: string[] = [];
  const box = way.getBoundingClientRect();
  const side = Math.min(box.width, box.height);
  if (side < leastTargetPx) found.push(`${side} px is less than a finger`);
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!way.contains(hit)) found.push(`a finger hits ${hit?.outerHTML.slice(0, 120)}`);
  const focused = document.activeElement;
  if (focused !== way) found.push(`Tab has led to ${focused?.outerHTML.slice(0, 120)}`);
  return found;
}

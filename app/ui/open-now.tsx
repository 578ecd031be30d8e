import { clockTime, type Hours, hours, type Weekday, weekdays } from "#content/hours.ts";
import { ownWords } from "#content/own-words.ts";
import { openingWords } from "#content/site.ts";
import { torontoWeekTime } from "#content/toronto-time.ts";
import { type SiteFacts, useOwnWords, useSiteFacts } from "../site-facts.ts";

/** `Open now`, or the next opening, in the firm's time. */
export function openingState(now: Date, { days, opens, closes }: Hours): string {
  const [day, time = ""] = torontoWeekTime(now).split(/,? (?=\d)/);
  const today = weekdays.indexOf(day as Weekday);
  const isOpenIn = (ahead: number) => days.includes(weekdays[(today + ahead) % 7] as Weekday);
  if (isOpenIn(0) && time >= opens && time < closes) return openingWords.open;
  const at = clockTime(opens);
  if (isOpenIn(0) && time < opens) return openingWords.opens(at);
  const ahead = [1, 2, 3, 4, 5, 6, 7].find(isOpenIn) ?? 7;
  return openingWords.opens(`${weekdays[(today + ahead) % 7]} ${at}`);
}

/** Beside the telephone, if there is one. server/page-cache.ts renews it. */
export function OpenNow() {
  const own = useOwnWords("hours", hours);
  if (!useSiteFacts().settings.phone) return null;
  return <span className="open-now small whitespace-nowrap">{openingState(new Date(), own)}</span>;
}

export function bringOpenNowAlive({ settings }: SiteFacts): void {
  function tell() {
    const state = openingState(new Date(), ownWords(settings, "hours", hours));
    for (const element of document.querySelectorAll(".open-now")) element.textContent = state;
  }
  // The page may come from a cache. A press is answered first.
  setTimeout(tell, 1_000);
  setInterval(tell, 60_000);
}

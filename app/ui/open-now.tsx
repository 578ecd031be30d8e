import { useEffect, useState } from "react";
import { clockTime, type Hours, hours, type Weekday, weekdays } from "#content/hours.ts";
import { openingWords, timeZone } from "#content/site.ts";
import { useOwnWords } from "../site-facts.ts";

const clock = new Intl.DateTimeFormat("en-CA", {
  timeZone,
  weekday: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** `Open now`, or when the firm opens next, by its hours in its own time. */
export function openingState(now: Date, { days, opens, closes }: Hours): string {
  const parts = Object.fromEntries(
    clock.formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const time = `${parts.hour}:${parts.minute}`;
  const today = weekdays.indexOf(parts.weekday as Weekday);
  const isOpenIn = (ahead: number) => days.includes(weekdays[(today + ahead) % 7] as Weekday);
  if (isOpenIn(0) && time >= opens && time < closes) return openingWords.open;
  const at = clockTime(opens);
  if (isOpenIn(0) && time < opens) return openingWords.opens(at);
  const ahead = [1, 2, 3, 4, 5, 6, 7].find(isOpenIn) ?? 7;
  return openingWords.opens(`${weekdays[(today + ahead) % 7]} ${at}`);
}

/** Empty in the server's HTML, which is kept for the day; its line is kept free, so nothing moves. */
export function OpenNow() {
  const [state, setState] = useState("");
  const own = useOwnWords("hours", hours);
  useEffect(() => {
    const tell = () => setState(openingState(new Date(), own));
    tell();
    const timer = setInterval(tell, 60_000);
    return () => clearInterval(timer);
  }, [own]);
  return <span className="open-now small">{state}</span>;
}

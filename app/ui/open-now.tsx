import { useEffect, useState } from "react";
import { business } from "#content/business.ts";
import { openingWords, timeZone } from "#content/site.ts";

const clock = new Intl.DateTimeFormat("en-CA", {
  timeZone,
  weekday: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** `Open now`, or when the firm opens next, by its hours in its own time. */
export function openingState(now: Date): string {
  const { days, opens, closes } = business.opening;
  const parts = Object.fromEntries(
    clock.formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const time = `${parts.hour}:${parts.minute}`;
  const today = weekdays.indexOf(parts.weekday ?? "");
  const isOpenOn = (day?: string) => days.some((each) => each === day);
  if (isOpenOn(weekdays[today]) && time >= opens && time < closes) return openingWords.open;
  const at = hourOf(opens);
  if (isOpenOn(weekdays[today]) && time < opens) return openingWords.opens(at);
  const next = [1, 2, 3, 4, 5, 6, 7].map((ahead) => weekdays[(today + ahead) % 7]).find(isOpenOn);
  return openingWords.opens(`${next} ${at}`);
}

/** `09:00` as `9 AM`. */
function hourOf(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12} ${hour < 12 ? "AM" : "PM"}`;
}

/** Empty in the server's HTML, which is kept for the day; its line is kept free, so nothing moves. */
export function OpenNow() {
  const [state, setState] = useState("");
  useEffect(() => {
    const tell = () => setState(openingState(new Date()));
    tell();
    const timer = setInterval(tell, 60_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="open-now">{state}</span>;
}

import { useLayoutEffect, useRef, useState } from "react";
import { calendar } from "#content/objects.ts";
import { piece } from "../alive/piece.tsx";
import { Button } from "../ui/button.tsx";

const days = 28;
const labelOf = (day: number) =>
  calendar.label(Math.floor(day / 7) + 1, calendar.days[day % 7] ?? "");
const marked = (posts: readonly number[]) =>
  Array.from({ length: days }, (_, day) => posts.includes(day));

/** The longest run of days without a post. */
export function longestSilence(posts: readonly boolean[]): number {
  let longest = 0;
  let run = 0;
  for (const isPost of posts) {
    run = isPost ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Four weeks of days to press; the sum follows. Without scripts the days can still be marked. */
export const Calendar = piece("Calendar", () => {
  const form = useRef<HTMLFieldSetElement>(null);
  const [posts, setPosts] = useState(() => marked(calendar.example));
  const boxes = () => [...(form.current?.querySelectorAll("input") ?? [])];
  const read = () => setPosts(boxes().map(({ checked }) => checked));

  function mark(chosen: readonly number[]) {
    for (const [day, box] of boxes().entries()) box.checked = chosen.includes(day);
    read();
  }

  // A visitor may have pressed a day before the script came.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes.
  useLayoutEffect(read, []);

  return (
    <div className="sheet lifted object">
      <fieldset className="calendar" ref={form} onInput={read}>
        <legend className="sr-only">{calendar.heading}</legend>
        {calendar.days.map((day) => (
          <span className="lettering" key={day} aria-hidden="true">
            {day.slice(0, 1)}
          </span>
        ))}
        {posts.map((_, day) => (
          <input
            type="checkbox"
            key={labelOf(day)}
            aria-label={labelOf(day)}
            defaultChecked={calendar.example.includes(day)}
          />
        ))}
      </fieldset>
      <p className="lettering below">
        <output>{calendar.sum(posts.filter(Boolean).length, longestSilence(posts))}</output>
      </p>
      <p className="cluster below with-scripts">
        <Button variant="plain" data-press="" onClick={() => mark(calendar.steady)}>
          {calendar.fill}
        </Button>
        <Button variant="plain" data-press="" onClick={() => mark([])}>
          {calendar.empty}
        </Button>
      </p>
    </div>
  );
});

import { expect, test } from "vitest";
import type { DraftWords } from "#newsletter/issues/draft.ts";
import {
  beginSaving,
  eventOf,
  isReadyToPost,
  isSaved,
  leftToPost,
  next,
  type Saving,
  type SavingEvent,
  waitMs,
} from "./draft-saving.ts";

const savedAt = "2026-11-20T15:00:00.000Z";
const later = "2026-11-20T15:01:00.000Z";
const empty: DraftWords = {
  title: "Piers",
  preheader: "",
  body: "",
  format: "markdown",
};
const body = (text: string): DraftWords => ({ ...empty, body: text });
const typed = (text: string): SavingEvent => ({ type: "typed", words: body(text) });
const begin = beginSaving({ words: empty, version: 1, savedAt });
const due: SavingEvent = { type: "due" };
const publish: SavingEvent = { type: "pressed", intent: "publish" };

const savedAs = (version: number): SavingEvent => ({
  type: "answered",
  saved: { ok: true, version, savedAt: later, problems: [], notes: [] },
});

const refused: SavingEvent = {
  type: "answered",
  saved: { ok: false, reason: "changed_elsewhere" },
};

function after(...events: SavingEvent[]): Saving {
  return events.reduce(next, begin);
}

test("a key is saved a moment later, over the version that it was typed upon", () => {
  const waiting = after(typed("One"));
  expect([waitMs(begin), waitMs(waiting), isSaved(waiting)]).toEqual([null, 700, false]);
  const sending = next(waiting, due);
  expect([sending.sending, sending.version, waitMs(sending)]).toEqual([body("One"), 1, null]);
  const done = next(sending, savedAs(2));
  expect([isSaved(done), done.version, done.savedAt, waitMs(done)]).toEqual([true, 2, later, null]);
});

test("one save is under way at a time, and what was typed meanwhile follows it", () => {
  const state = after(typed("One"), due, typed("Two"), due);
  expect(state.sending).toEqual(body("One"));
  const back = next(state, savedAs(2));
  expect([isSaved(back), back.version, waitMs(back)]).toEqual([false, 2, 700]);
});

test("what was typed while a save was under way is posted after it, when the page is left", () => {
  const state = after(typed("One"), due, typed("Two"));
  expect(leftToPost(state, null)).toBeNull();
  expect(leftToPost(state, savedAs(2))).toMatchObject({ words: body("Two"), version: 2 });
  expect(leftToPost(state, refused)).toBeNull();
  expect(leftToPost(after(typed("One"), due), savedAs(2))).toBeNull();
  expect(leftToPost(after(typed("One")), null)).toMatchObject({ words: body("One"), version: 1 });
});

test("a lost line and a closed desk are tried again until the text is saved", () => {
  for (const type of ["lost", "closed"] as const) {
    const state = after(typed("One"), due, { type });
    expect([state.trouble, waitMs(state)]).toEqual([type, 3_000]);
    const still = next(state, typed("Two"));
    expect([still.trouble, waitMs(still)]).toEqual([type, 3_000]);
    const back = [due, savedAs(2)].reduce(next, still);
    expect([back.trouble, isSaved(back)]).toEqual([null, true]);
  }
});

test("a press waits for the save under way, and for what was typed since", () => {
  const pressed = after(typed("One"), due, typed("Two"), publish);
  expect(isReadyToPost(pressed)).toBe(false);
  const second = next(pressed, savedAs(2));
  expect([isReadyToPost(second), waitMs(second)]).toEqual([false, 0]);
  const ready = [due, savedAs(3)].reduce(next, second);
  expect([isReadyToPost(ready), ready.version]).toEqual([true, 3]);
  expect(isReadyToPost(after(publish))).toBe(true);
});

test("nothing is saved between a press and its answer, and all of it afterwards", () => {
  const posted = after(publish, { type: "posted" }, typed("One"), due);
  expect([isReadyToPost(posted), waitMs(posted), posted.sending]).toEqual([false, null, null]);
  const back = next(posted, { type: "returned" });
  expect([waitMs(back), back.pressed, back.version]).toEqual([700, null, 1]);
});

test("a press is given up where the text can't be saved, and works once it can", () => {
  for (const event of [{ type: "lost" }, { type: "closed" }] as const) {
    const lost = after(typed("One"), publish, due, event);
    expect([lost.pressed, isReadyToPost(lost)]).toEqual([null, false]);
    const again = next(lost, publish);
    expect(waitMs(again)).toBe(0);
    expect(isReadyToPost([due, savedAs(2)].reduce(next, again))).toBe(true);
  }
  const tooLong: SavingEvent = { type: "answered", saved: { ok: false, reason: "too_long" } };
  const long = after(typed("Long"), due, tooLong);
  expect([waitMs(long), next(long, publish).pressed]).toEqual([null, null]);
  expect(waitMs(next(long, typed("Short")))).toBe(700);
});

test("nothing is saved over another window's text, and the words in hand stay", () => {
  const told = after(typed("Mine"), due, refused, typed("Mine, too"), due, publish);
  expect(told).toMatchObject({ trouble: "changed_elsewhere", sending: null, pressed: null });
  expect([told.words, waitMs(told)]).toEqual([body("Mine, too"), null]);
});

test("a draft that was deleted is not saved any more", () => {
  const gone: SavingEvent = { type: "answered", saved: { ok: false, reason: "unknown_draft" } };
  const state = after(typed("One"), due, gone, typed("Two"), publish);
  expect([state.trouble, waitMs(state), state.pressed]).toEqual(["unknown_draft", null, null]);
});

test("kept words go on from the text that they were typed upon, and are only shown otherwise", () => {
  const kept = { type: "found", words: body("Kept"), version: 1, savedAt } as const;
  expect(after(kept)).toMatchObject({ words: body("Kept"), trouble: null });
  for (const other of [{ version: 2 }, { savedAt: later }]) {
    const told = after({ ...kept, ...other });
    expect(told).toMatchObject({ words: body("Kept"), trouble: "changed_elsewhere", ...other });
    expect(waitMs(told)).toBeNull();
  }
  expect(after({ ...kept, words: empty, version: 7 })).toBe(begin);
});

test("a page that was loaded again takes its own words as saved, and tells of others", () => {
  const loaded = (words: DraftWords, version: number) =>
    ({ type: "loaded", words, version, savedAt: later }) as const;
  expect(after(loaded(empty, 1))).toBe(begin);
  expect(after(loaded(empty, 2))).toMatchObject({ version: 2, trouble: null });
  expect(after(loaded(body("Theirs"), 2))).toMatchObject({ trouble: "changed_elsewhere" });
  // The save under way may be the one that it shows.
  const sending = after(typed("Mine"), due);
  expect(next(sending, loaded(body("Mine"), 2))).toBe(sending);
});

test("a browser that keeps nothing hinders no save", () => {
  const state = after(typed("One"), { type: "kept", isKept: false });
  expect([state.isKept, waitMs(state)]).toEqual([false, 700]);
  expect(isSaved([due, savedAs(2)].reduce(next, state))).toBe(true);
});

test("an answer says whether the text is saved, the desk is closed or the line is lost", async () => {
  const saved = { ok: false, reason: "too_long" } as const;
  expect(await eventOf(Response.json(saved))).toEqual({ type: "answered", saved });
  for (const status of [401, 403]) {
    expect(await eventOf(new Response("Closed", { status }))).toEqual({ type: "closed" });
  }
  expect(await eventOf({ type: "opaqueredirect", status: 0 } as Response)).toEqual({
    type: "closed",
  });
  for (const answer of [null, new Response("No", { status: 502 }), new Response("<p>Proxy")]) {
    expect(await eventOf(answer)).toEqual({ type: "lost" });
  }
});

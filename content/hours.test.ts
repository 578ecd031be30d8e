import { expect, test } from "vitest";
import { closedDays, openHours, replyAfterPause, weekdays } from "./hours.ts";

test.each([
  {
    days: weekdays.slice(0, 5),
    open: "Monday to Friday 9 AM to 5:30 PM EST",
    closed: "Closed Saturday and Sunday",
    reply: "If you write between Friday evening and Sunday, we reply on Monday.",
  },
  {
    days: ["Monday", "Tuesday", "Thursday", "Saturday"] as const,
    open: "Monday, Tuesday, Thursday and Saturday 9 AM to 5:30 PM EST",
    closed: "Closed Wednesday, Friday and Sunday",
    reply: "If you write between Tuesday evening and Wednesday, we reply on Thursday.",
  },
  {
    days: weekdays.slice(1, 6),
    open: "Tuesday to Saturday 9 AM to 5:30 PM EST",
    closed: "Closed Monday and Sunday",
    reply: "If you write between Saturday evening and Monday, we reply on Tuesday.",
  },
  { days: weekdays, open: "Monday to Sunday 9 AM to 5:30 PM EST", closed: "", reply: "" },
])("says when the firm is open: $open", ({ days, open, closed, reply }) => {
  const hours = { days, opens: "09:00", closes: "17:30" };
  expect(openHours(hours)).toBe(open);
  expect(closedDays(hours)).toBe(closed);
  expect(replyAfterPause(hours)).toBe(reply);
});

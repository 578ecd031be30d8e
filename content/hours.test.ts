import { expect, test } from "vitest";
import { closedDays, openHours, torontoHours, weekdays } from "./hours.ts";

test.each([
  {
    days: weekdays.slice(0, 5),
    open: "Monday to Friday 9 AM to 5:30 PM EST",
    closed: "Closed Saturday and Sunday",
  },
  {
    days: ["Monday", "Tuesday", "Thursday", "Saturday"] as const,
    open: "Monday, Tuesday, Thursday and Saturday 9 AM to 5:30 PM EST",
    closed: "Closed Wednesday, Friday and Sunday",
  },
  { days: weekdays, open: "Monday to Sunday 9 AM to 5:30 PM EST", closed: "" },
])("says when the firm is open: $open", ({ days, open, closed }) => {
  const hours = { days, opens: "09:00", closes: "17:30" };
  expect(openHours(hours)).toBe(open);
  expect(closedDays(hours)).toBe(closed);
  expect(torontoHours(hours)).toBe(open.replace(" EST", ", Toronto time"));
});

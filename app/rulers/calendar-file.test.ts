import ICAL from "ical.js";
import { expect, test } from "vitest";
import { calendarAddress, calendarFile } from "./calendar-file.server.ts";

const now = new Date("2026-11-28T12:30:45.678Z");

test("a calendar reads each event as a whole day with its words and an alarm", () => {
  const long = `Ask the owner; “é” and a comma, ${"then wait ".repeat(12)}\\ done.\nNo legal advice.`;
  const events = [
    { day: "2028-02-29", summary: "Payment due: $10,000; today", description: long },
    { day: "2026-12-31", summary: "Notice", description: "Short" },
  ];
  const file = calendarFile(events, "chalkline.example", now);
  const component = new ICAL.Component(ICAL.parse(file));
  const read = component.getAllSubcomponents("vevent").map((event) => ({
    day: event.getFirstPropertyValue("dtstart")?.toString(),
    summary: event.getFirstPropertyValue("summary"),
    description: event.getFirstPropertyValue("description"),
    alarm: event.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger")?.toString(),
  }));
  expect(read).toEqual(events.map((event) => ({ ...event, alarm: "-P2D" })));
  const names = component
    .getAllSubcomponents("vevent")
    .map((one) => one.getFirstPropertyValue("uid"));
  expect(new Set(names).size).toBe(2);
  expect(component.getFirstPropertyValue("version")).toBe("2.0");
  for (const line of file.split("\r\n")) {
    expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
  }
  expect(decodeURIComponent(calendarAddress(file).replace(/^[^,]*,/, ""))).toBe(file);
});

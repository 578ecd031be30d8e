type CalendarEvent = {
  /** `2026-12-29`: an event of a whole day. */
  day: string;
  summary: string;
  description: string;
};

/** Longest line of a calendar file, in bytes of UTF-8 without its end (RFC 5545, section 3.1). */
const lineMaxBytes = 75;

/** The events as a calendar file (RFC 5545), with an alarm two days before each. `host` makes their names unique. */
export function calendarFile(events: readonly CalendarEvent[], host: string, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${host}//Rulers//EN`,
    ...events.flatMap(({ day, summary, description }) => [
      "BEGIN:VEVENT",
      `UID:${day}-${slug(summary)}@${host}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${day.replaceAll("-", "")}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      "TRANSP:TRANSPARENT",
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${escaped(summary)}`,
      "TRIGGER:-P2D",
      "END:VALARM",
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** The file as the address of a link that is downloaded: nothing is asked of a server. */
export function calendarAddress(file: string): string {
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(file)}`;
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
}

function folded(line: string): string {
  const parts = [""];
  let bytes = 0;
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (bytes + size > lineMaxBytes) {
      parts.push(" ");
      bytes = 1;
    }
    parts[parts.length - 1] += sign;
    bytes += size;
  }
  return parts.join("\r\n");
}

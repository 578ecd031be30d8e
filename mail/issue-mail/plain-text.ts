import { convert } from "html-to-text";
import type { MailParts } from "./letterhead.ts";

/** Short enough to survive quoting (RFC 3676, section 4.2). */
const lineColumns = 72;

/** The plain-text part of an issue's mail. */
export function plainText({ title, newsletter, label, body, foot }: MailParts): string {
  const words = convert(body, {
    wordwrap: lineColumns,
    selectors: [
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false, leadingLineBreaks: 3 } },
      { selector: "h3", options: { uppercase: false } },
      { selector: "h4", options: { uppercase: false } },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      { selector: "img", options: { linkBrackets: false, baseUrl: "" }, format: "alternative" },
      { selector: "table", format: "block" },
      { selector: "table.data", format: "dataTable", options: { maxColumnWidth: 32 } },
      { selector: "td", format: "block" },
      { selector: "th", format: "block" },
      { selector: "hr", options: { length: lineColumns } },
    ],
    formatters: {
      alternative(element, _walk, builder) {
        const words = String(element.attribs.alt ?? "").trim();
        if (words !== "") builder.addInline(`[${words}]`);
      },
    },
  });
  const heading = wrapped(title.trim());
  const longest = Math.max(...heading.split("\n").map((line) => line.length));
  return `${newsletter}, from ${foot.senderName}
${label}

${heading}
${"=".repeat(Math.min(lineColumns, longest))}

${words
  .replace(/[ \u00a0]+$/gm, "")
  .replace(/\n{4,}/g, "\n\n\n")
  .trim()}

--${" "}
${wrapped(foot.why)}

Unsubscribe: ${foot.unsubscribe}
View in browser: ${foot.page}

${foot.senderName}
${foot.address}
${foot.reach}
`;
}

function wrapped(words: string): string {
  return words.replace(new RegExp(`(?=.{${lineColumns + 1}})(.{1,${lineColumns}}) `, "g"), "$1\n");
}

import { convert } from "html-to-text";
import { newsletterName } from "#content/site.ts";
import type { MailParts } from "./mail-parts.ts";

/** Columns of a line, so that it stands unbroken even where it is quoted (RFC 3676, section 4.2). */
const lineColumns = 72;

/** The issue as words alone, for programs and people who read it so. */
export function plainText({ title, label, body, foot }: MailParts): string {
  const words = convert(body, {
    wordwrap: lineColumns,
    selectors: [
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false, leadingLineBreaks: 3 } },
      { selector: "h3", options: { uppercase: false } },
      { selector: "h4", options: { uppercase: false } },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      { selector: "img", options: { linkBrackets: false, baseUrl: "" }, format: "alternative" },
      { selector: "table", format: "rows" },
      { selector: "hr", options: { length: lineColumns } },
    ],
    formatters: {
      alternative(element, _walk, builder) {
        const words = String(element.attribs.alt ?? "").trim();
        if (words !== "") builder.addInline(`[${words}]`);
      },
      rows(element, walk, builder, options) {
        const isData = JSON.stringify(namesBelow(element)).includes('"th"');
        const format = builder.options.formatters[isData ? "dataTable" : "block"];
        format?.(element, walk, builder, isData ? { ...options, maxColumnWidth: 32 } : options);
      },
    },
  });
  return `${newsletterName}, from ${foot.senderName}
${label}

${title}
${"=".repeat(Math.min(lineColumns, title.length))}

${words}

--${" "}
${foot.why}

Leave the list: ${foot.unsubscribe}
View in browser: ${foot.page}

${foot.senderName}
${foot.address}
${foot.reach}
`;
}

type Node = { name?: string; children?: Node[] };

function namesBelow(node: Node): string[] {
  return (node.children ?? []).flatMap((child) => [child.name ?? "", ...namesBelow(child)]);
}

import { html } from "hono/html";

/** Ready markup; a plain string is text and is escaped. */
export type Xml = { markup: string };

export function element(
  name: string,
  attributes: Record<string, string>,
  ...children: (string | Xml)[]
): Xml {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inner = children.map((child) =>
    typeof child === "string" ? escapeXml(child) : child.markup,
  );
  const open = `<${name}${written.join("")}`;
  return { markup: inner.length === 0 ? `${open}/>` : `${open}>${inner.join("")}</${name}>` };
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}\n`;
}

// Code points that XML 1.0 can't contain (section 2.2, Char). Lone surrogates are replaced before.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  const writable = text.toWellFormed().replace(unwritable, "");
  return String(html`${writable}`).replaceAll("\r", "&#13;");
}

/** For files that depend only on settings. */
export const fileMaxAgeS = 3_600;

/**
 * A response that is a file. `type` is the media type without the charset, which is UTF-8. Without `maxAgeS` the cache
 * rules of pages that show issues apply (pages.ts).
 */
export function fileResponse(body: string, type: string, maxAgeS?: number): Response {
  const headers = new Headers({ "Content-Type": `${type}; charset=utf-8` });
  if (maxAgeS !== undefined) headers.set("Cache-Control", `public, max-age=${maxAgeS}`);
  return new Response(body, { headers });
}

/** The newsletter can't be read now. An empty list would say that the issues are gone. */
export function unavailableResponse(): Response {
  return new Response("The newsletter can't be read right now. Please try again in a minute.\n", {
    status: 503,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": "60",
    },
  });
}

import type { html } from "hono/html";
import type { SiteServices } from "../ports.ts";

// XML 1.0, section 2.2, Char.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The template escapes each text. */
export function xmlDocument(root: ReturnType<typeof html>): string {
  const text = String(root).toWellFormed().replace(unwritable, "").replaceAll("\r", "&#13;");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

/** 503 if issues can't be read: an empty list would say that they are gone. */
export async function issuesFileResponse(
  { reportError }: Pick<SiteServices, "reportError">,
  type: string,
  write: () => Promise<string>,
): Promise<Response> {
  try {
    return new Response(await write(), { headers: { "Content-Type": `${type}; charset=utf-8` } });
  } catch (error) {
    reportError(error);
    return new Response("The newsletter can't be read right now. Please try again in a minute.\n", {
      status: 503,
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        "Retry-After": "60",
      },
    });
  }
}

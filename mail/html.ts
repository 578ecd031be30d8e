import { html as template } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** Markup that may stand in a document as it is. Only the `html` tag makes it. */
export type Html = HtmlEscapedString;

/** Hono's template, for values that need no waiting: text is escaped, markup and lists of markup stand as they are. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return template(parts, ...values) as Html;
}

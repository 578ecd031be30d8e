import { randomUUID } from "node:crypto";
import { contactNotices } from "#content/notices.ts";
import type { Scene } from "../scene.ts";
import { address } from "../under-fire.ts";

export type FormVisit = {
  tracer: string;
  /** Posts the form, the same one each time, and says what the page that answered it said. */
  post(): Promise<string>;
};

/** A visitor without scripts who fills in the contact form. */
export function createFormVisit({ server }: Scene): FormVisit {
  const tracer = randomUUID();
  const fields = {
    firstName: "Visitor",
    lastName: `Posted ${tracer}`,
    email: address(tracer),
    company: "Chalk & Line",
    phone: "416 555 0142",
    subject: "partnership-opportunities",
    // More than a page of the database takes, so that a full disk can't have room for it in pages already there.
    message: `tracer:${tracer}: ${"Quotes take three evenings a week. ".repeat(200)}end`,
    idempotencyKey: tracer,
  };
  return {
    tracer,
    async post() {
      try {
        const response = await fetch(`${server.origin}/contact`, {
          method: "POST",
          body: new URLSearchParams(fields),
        });
        return judge(response.status, await response.text(), fields);
      } catch {
        return "no answer";
      }
    },
  };
}

function judge(status: number, page: string, fields: Record<string, string>): string {
  if (page.includes(contactNotices.sent.title)) {
    return status === 200 ? "sent" : `success with status ${status}`;
  }
  if (!page.includes(contactNotices.failed("").title)) return `page with status ${status}`;
  // The form ends before the data that the page's script reads, which holds the words too.
  const form = /<form[^>]*id="contact-form".*?<\/form>/s.exec(page)?.[0] ?? "";
  const shown = form.replaceAll("&amp;", "&");
  const { subject, ...texts } = fields;
  const areKept =
    Object.values(texts).every((text) => shown.includes(text)) &&
    new RegExp(
      `<option[^>]*(value="${subject}"[^>]* selected|selected[^>]* value="${subject}")`,
    ).test(form);
  return areKept ? `failed (${status}), fields kept` : "failed, fields dropped";
}

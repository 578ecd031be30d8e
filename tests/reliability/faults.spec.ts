import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { contactNotices } from "#content/notices.ts";
import { contactMessage } from "../contact-message.ts";
import { fullDisk, lockedDatabase } from "./database-faults.ts";
import { type Fault, underFaults } from "./faults.ts";
import type { Scene } from "./scene.ts";
import { address } from "./under-fire.ts";

/**
 * What somebody without scripts sees of the contact form while nothing can be stored: the failure's notice over the form
 * as it was filled in, and after the fault the same form is taken. No browser is needed for it; the built pages are.
 */
const faults: [name: string, fault: () => Fault][] = [
  ["another program locks the database", lockedDatabase],
  ["the disk is full", fullDisk],
];

for (const [name, fault] of faults) {
  test(`the form says that it failed and keeps its fields while ${name}, then sends`, async () => {
    const tracer = randomUUID();
    const fields = {
      ...contactMessage,
      lastName: `Posted ${tracer}`,
      email: address(tracer),
      subject: "partnership-opportunities",
      // More than a page of the database takes, so that a full disk can't have room for it in pages already there.
      message: `tracer:${tracer}: ${"Quotes take three evenings a week. ".repeat(200)}end`,
      idempotencyKey: tracer,
    };
    const post = async ({ server }: Scene) => {
      const body = new URLSearchParams(fields);
      const response = await fetch(`${server.origin}/contact`, { method: "POST", body });
      return { status: response.status, page: await response.text() };
    };
    const report = await underFaults(
      [
        {
          ...fault(),
          async meanwhile(scene) {
            const { status, page } = await post(scene);
            expect(status).toBe(503);
            expect(page).toContain(contactNotices.failed("").title);
            // The form ends before the data that the page's script reads, which holds the words too.
            const form = /<form[^>]*id="contact-form".*?<\/form>/s.exec(page)?.[0] ?? "";
            const { subject, ...texts } = fields;
            for (const text of Object.values(texts)) {
              expect(form.replaceAll("&amp;", "&")).toContain(text);
            }
            expect(form).toMatch(
              new RegExp(
                `<option[^>]*(value="${subject}"[^>]* selected|selected[^>]* value="${subject}")`,
              ),
            );
          },
          async afterwards(scene) {
            const { status, page } = await post(scene);
            expect(status).toBe(200);
            expect(page).toContain(contactNotices.sent.title);
            scene.crowd.acknowledged.messages.push(tracer);
          },
        },
      ],
      { pages: true },
    );
    const { lost, notStored, storedTwice, underTwoIds } = report;
    expect({ lost, notStored, storedTwice, underTwoIds }).toEqual({
      lost: [],
      notStored: [],
      storedTwice: [],
      underTwoIds: [],
    });
  });
}

import { raw } from "hono/html";
import { expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { createMailer, type MailMessage } from "./create-mailer.ts";
import { findMailFiles } from "./mail-files.ts";

test("a mail file is its recipient's alone, whatever signs the address has", async () => {
  const dataDir = newFolder();
  const from = "Firm <a@firm.example>";
  const mailer = createMailer({ smtpUrl: null, dataDir, from, siteUrl: "https://firm.example" });
  for (const address of ["o'brien@example.com", "brien@example.com"]) {
    await mailer.send({
      deliveryId: `to-${address.indexOf("@")}`,
      date: "2026-11-21T14:05:09.123Z",
      to: { name: "", address },
      subject: "A letter",
      text: "Words.",
      html: raw("<p>Words.</p>") as MailMessage["html"],
    });
  }
  const ofBrien = await findMailFiles(dataDir, { email: "brien@example.com", deliveryIds: [] });
  expect(ofBrien).toEqual([expect.stringContaining("to-5")]);
  const ofOBrien = await findMailFiles(dataDir, { email: "O'Brien@Example.com", deliveryIds: [] });
  expect(ofOBrien).toEqual([expect.stringContaining("to-7")]);
});

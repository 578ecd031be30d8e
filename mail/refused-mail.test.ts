import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { type MailServer, type MailServerMode, startMailServer } from "#tests/mail-server.ts";
import { createMailer } from "./create-mailer.ts";
import { html } from "./mail-document.ts";
import { RefusedDeliveryError } from "./outbox-jobs.ts";

let server: MailServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function sendTo(smtpUrl: string): Promise<unknown> {
  const from = "site@chalkline.example";
  const mailer = createMailer({ smtpUrl, dataDir: "", from, siteUrl: "https://chalkline.example" });
  try {
    await mailer.send({
      deliveryId: "id-1",
      date: "2026-11-21T14:05:09.123Z",
      to: "desk@chalkline.example",
      subject: "A line",
      text: "As text",
      html: html`<p>As markup</p>`,
    });
    return null;
  } catch (error) {
    return error;
  } finally {
    mailer.close();
  }
}

async function answerOf(mode: MailServerMode) {
  server = await startMailServer(mode);
  return await sendTo(server.url);
}

test("a recipient that the server refuses for good is a refusal, with the server's words", async () => {
  const error = await answerOf("reject");
  expect(error).toBeInstanceOf(RefusedDeliveryError);
  expect(error).toMatchObject({
    message: expect.stringContaining("550 5.1.1 No such user here"),
    responseCode: 550,
  });
});

test.each(["defer", "busy", "drop"] as const)(
  "a server that says %s may take it later",
  async (mode) => {
    const error = await answerOf(mode);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(RefusedDeliveryError);
  },
);

test("a log-in that fails is nothing about the message, though its code is a 5xx", async () => {
  const smtp = new SMTPServer({
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: (_auth, _session, callback) =>
      callback(Object.assign(new Error("5.7.8 Wrong password"), { responseCode: 535 })),
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const { port } = smtp.server.address() as { port: number };
  const error = await sendTo(`smtp://firm:secret@127.0.0.1:${port}`);
  await new Promise<void>((resolve) => smtp.close(resolve));
  expect(error).toMatchObject({ responseCode: 535 });
  expect(error).not.toBeInstanceOf(RefusedDeliveryError);
});

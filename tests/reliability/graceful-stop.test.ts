import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { inDatabase } from "../issue-table.ts";
import { startMailServer } from "../mail-server.ts";
import { untilRefused } from "../real-programs/daemon.ts";
import { startWebhookReceiver } from "../webhook-receiver.ts";
import { createSceneServer, plainServer } from "./scene-server.ts";

test("SIGTERM lets requests end, closes the other connections and hands back what can't be delivered", async () => {
  const dataDir = newFolder();
  const mail = await startMailServer("silent");
  const hook = await startWebhookReceiver();
  hook.answer = () => {};
  onTestFinished(async () => {
    await mail.close();
    await hook.close();
  });
  const settings = {
    DATA_DIR: dataDir,
    SMTP_URL: mail.url,
    BOUNCE_MAILBOX: `${mail.url.replace("smtp", "imap")}/?address=back@example.com`,
    NEWSLETTER_WEBHOOK_URL: hook.url,
  };
  const server = createSceneServer({ settings, script: plainServer });
  onTestFinished(() => server.kill());
  await server.start();
  const port = Number(new URL(server.origin ?? "").port);

  const idle = await open(port);
  idle.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(idle, "data");
  const slow = await open(port);
  const body = JSON.stringify({
    ...contactMessage,
    message: "The end of this came after the signal.",
  });
  slow.write(
    `POST /functions/v1/send-contact-email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  const post = async (name: string, body: object) =>
    (await callFunction(`http://127.0.0.1:${port}`, name, body)).status;
  // As late as can be: the mail is given up two seconds after the server's own time to stop would be over.
  const email = "reader@example.com";
  const posts = [post("send-contact-email", contactMessage), post("newsletter-signup", { email })];
  expect(await Promise.all(posts)).toEqual([200, 200]);
  await until(async () => {
    const jobs = await outbox(dataDir);
    return jobs.filter(({ claimed_until }) => claimed_until !== null).length === 3;
  });
  const silent = await open(port);
  // Answered after the slow one was read: the server has begun both.
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);

  const stopped = server.stop();
  await Promise.all([once(silent.resume(), "close"), once(idle.resume(), "close")]);
  await untilRefused(port);
  slow.write(body.slice(20));
  const answer = String((await once(slow, "data"))[0]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*"success":true/s);
  await once(slow, "close");

  // A server that doesn't stop in its own time ends with 1.
  expect(await stopped).toBe(0);
  const left = await outbox(dataDir);
  expect(left).toHaveLength(4);
  for (const row of left) {
    expect(row).toMatchObject({ claimed_until: null, delivered_at: null, attempts: 0 });
    expect(Date.parse(row.next_attempt_at)).toBeLessThan(Date.now());
  }

  mail.mode = "accept";
  hook.answer = (response) => response.writeHead(204).end();
  await server.start();
  await until(async () =>
    (await outbox(dataDir)).every(({ delivered_at }) => delivered_at !== null),
  );
  expect(await server.stop()).toBe(0);
});

function outbox(dataDir: string) {
  const database = { dataDir, databaseUrl: null };
  return inDatabase({ database }, (db) => db.selectFrom("outbox").selectAll().execute());
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

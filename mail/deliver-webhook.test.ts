import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "#tests/webhook-receiver.ts";
import { deliverWebhook } from "./deliverers.ts";
import { PermanentDeliveryError, RefusedDeliveryError } from "./outbox-jobs.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = {
  type: "newsletter.subscribed",
  timestamp: "2026-11-21T14:05:09.123Z",
  data: { email: "žofie@example.com" },
} as const;

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await receiver.close();
});

function deliver(changes: Partial<Parameters<typeof deliverWebhook>[0]> = {}) {
  const deliveryId = "0b1c3f5e-0000-4000-8000-000000000001";
  return deliverWebhook({ url: receiver.url, secret, deliveryId, event, ...changes });
}

test("posts an event that the receiver can verify, under the delivery's id", async () => {
  await deliver();
  const { headers, body } = receiver.received[0] ?? {
    headers: {} as IncomingHttpHeaders,
    body: "",
  };
  const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verified).toEqual(event);
  expect(headers["webhook-id"]).toBe("0b1c3f5e-0000-4000-8000-000000000001");
  expect(headers["content-type"]).toBe("application/json");
});

test("a redirect is a failure, and is not followed", async () => {
  receiver.answer = (response) => response.writeHead(307, { location: "/elsewhere" }).end();
  await expect(deliver()).rejects.toThrow("The webhook answered 307");
  expect(receiver.received.map((one) => one.path)).toEqual(["/hook"]);
});

test.each([
  [[400, 401, 404, 422], "is a refusal, which is asked about rarely", RefusedDeliveryError],
  [[408, 425, 429, 500, 503], "may pass", Error],
  [[410], "ends the delivery for good", PermanentDeliveryError],
])("each status of %j %s", async (statuses, _, kind) => {
  for (const status of statuses) {
    receiver.answer = (response) => response.writeHead(status).end("no");
    const error: Error = await deliver().catch((caught) => caught);
    expect(error.constructor, `${status}`).toBe(kind);
  }
});

test("a receiver that never answers is given up after the timeout", async () => {
  receiver.answer = () => {};
  await expect(deliver({ timeoutMs: 50 })).rejects.toThrow(/timeout/);
});

test("a receiver that takes the event and never ends its answer has taken it", async () => {
  receiver.answer = (response) => void response.writeHead(200).write("…");
  await deliver({ timeoutMs: 1_500 });
});

import { afterEach, expect, test, vi } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { hostedForms } from "./forms-client.ts";

const evidence = { honeypotFilled: false, openForMs: 5120 };
const sender = { idempotencyKey: "key-1", evidence };

afterEach(() => vi.unstubAllGlobals());

/** The forms of an action over a hosted project that gives this answer. */
function formsOver(answer: () => Response | Promise<Response>) {
  const sent: { url: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    sent.push({ url, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return answer();
  });
  const hosted = {
    url: "https://project.example",
    anonKey: "sb_publishable_1",
    webhookUrl: "https://hooks.example/own",
  };
  const forms = hostedForms(hosted, {
    page: "https://chalkline.example/newsletter/12",
    clientAddress: "203.0.113.9",
    requestId: "0123456789abcdef",
  });
  return { sent, forms };
}

test("a hosted project is sent its key, the webhook, and who asks from which page", async () => {
  const { sent, forms } = formsOver(() => Response.json({ success: true }));
  expect(await forms.sendMessage(contactMessage, sender)).toEqual({ ok: true });
  await forms.subscribe("dana@reyes.example", evidence);
  expect(sent[0]?.url).toBe("https://project.example/functions/v1/send-contact-email");
  expect(sent[0]?.body).toEqual(contactMessage);
  expect(sent[0]?.headers.get("apikey")).toBe("sb_publishable_1");
  expect(sent[0]?.headers.get("Authorization")).toBe("Bearer sb_publishable_1");
  expect(sent[0]?.headers.get("Idempotency-Key")).toBe("key-1");
  for (const { headers } of sent) {
    expect(headers.get("Form-Evidence")).toBe("open-for-ms=5120");
    expect(headers.get("Referer")).toBe("https://chalkline.example/newsletter/12");
    expect(headers.get("X-Forwarded-For")).toBe("203.0.113.9");
    expect(headers.get("X-Request-Id")).toBe("0123456789abcdef");
  }
  expect(sent[1]?.body).toEqual({
    email: "dana@reyes.example",
    webhookUrl: "https://hooks.example/own",
  });
});

// tests/error-catalogue.spec.ts covers the other answers.
test.each([[[]], ["<!doctype html>"], [{ success: "yes" }]])(
  "a sign-up's answer %j is none of a function",
  async (answer) => {
    const { forms } = formsOver(() => Response.json(answer));
    const result = await forms.subscribe("dana@reyes.example", evidence);
    expect(result).toMatchObject({ ok: false, reason: "unexpected" });
  },
);

test.each([
  ["90", 90],
  [null, 60],
  ["soon", 60],
])("status 429 with Retry-After %j asks to wait %i seconds", async (header, retryAfterSeconds) => {
  const headers: Record<string, string> = header === null ? {} : { "Retry-After": header };
  const { forms } = formsOver(() => Response.json({ error: "x" }, { status: 429, headers }));
  const limited = { ok: false, reason: "rate_limited", retryAfterSeconds };
  expect(await forms.subscribe("dana@reyes.example", evidence)).toMatchObject(limited);
  expect(await forms.sendMessage(contactMessage, sender)).toMatchObject(limited);
});

test("status 503 is a backend that is away for the moment, and says for how long", async () => {
  const { forms } = formsOver(() =>
    Response.json({ error: "x" }, { status: 503, headers: { "Retry-After": "5" } }),
  );
  const away = { ok: false, reason: "unavailable", retryAfterSeconds: 5 };
  expect(await forms.subscribe("dana@reyes.example", evidence)).toMatchObject(away);
  expect(await forms.sendMessage(contactMessage, sender)).toMatchObject(away);
});

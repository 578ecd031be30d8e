import { afterEach, expect, test, vi } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { browserForms } from "./forms-client.ts";

const evidence = { honeypotFilled: false, openForMs: 5120 };
const sender = { idempotencyKey: "key-1", evidence };

afterEach(() => vi.unstubAllGlobals());

/** The forms of a page in a browser, over functions that give this answer. */
function formsOver(answer: () => Response) {
  const sent: { url: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal("location", { origin: "https://chalkline.example" });
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    sent.push({ url, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return answer();
  });
  return { sent, forms: browserForms() };
}

test("the functions of the page's own origin are sent the fields and the evidence", async () => {
  const { sent, forms } = formsOver(() => Response.json({ success: true }));
  expect(await forms.sendMessage(contactMessage, sender)).toEqual({ ok: true });
  await forms.subscribe("dana@reyes.example", evidence);
  expect(sent[0]?.url).toBe("https://chalkline.example/functions/v1/send-contact-email");
  expect(sent[0]?.body).toEqual(contactMessage);
  expect(sent[0]?.headers.get("Idempotency-Key")).toBe("key-1");
  expect(sent[1]?.body).toEqual({ email: "dana@reyes.example", webhookUrl: "" });
  for (const { headers } of sent) expect(headers.get("Form-Evidence")).toBe("open-for-ms=5120");
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
  [429, "90", { reason: "rate_limited", retryAfterSeconds: 90 }],
  [429, null, { reason: "rate_limited", retryAfterSeconds: 60 }],
  [429, "soon", { reason: "rate_limited", retryAfterSeconds: 60 }],
  [503, "5", { reason: "unavailable", retryAfterSeconds: 5 }],
])("status %i with Retry-After %j says how long to wait", async (status, header, expected) => {
  const headers: Record<string, string> = header === null ? {} : { "Retry-After": header };
  const { forms } = formsOver(() => Response.json({ error: "x" }, { status, headers }));
  expect(await forms.subscribe("dana@reyes.example", evidence)).toMatchObject(expected);
  expect(await forms.sendMessage(contactMessage, sender)).toMatchObject(expected);
});

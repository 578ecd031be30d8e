import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import {
  type BackendFunctions,
  invokeSendMessage,
  invokeSubscribe,
  serverFunctions,
} from "./backend-client.ts";
import type { SiteServices } from "./site-services.ts";

const evidence = { honeypotFilled: false, openForMs: 5120 };
const sender = { idempotencyKey: "key-1", evidence };

const page = new Request("https://chalkline.example/newsletter", {
  headers: { Referer: "https://chalkline.example/newsletter/12" },
});

/** The client as an action gets it, over a backend that answers as told and keeps what it was asked. */
function inProcess(answer: () => Response | Promise<Response>) {
  const asked: Request[] = [];
  const services = {
    settings: { url: "https://chalkline.example", hostedBackend: null },
    backendFetch: async (request: Request, origin: { clientAddress: string | null }) => {
      expect(origin).toEqual({ clientAddress: "203.0.113.9" });
      asked.push(request);
      return answer();
    },
    origin: { clientAddress: "203.0.113.9" },
  } as unknown as SiteServices & { origin: { clientAddress: string | null } };
  return { asked, functions: serverFunctions(services, page) };
}

test("a message goes to the built-in backend with its key and the page that it came from", async () => {
  const { asked, functions } = inProcess(() => Response.json({ success: true }));
  expect(await invokeSendMessage(functions, contactMessage, sender)).toEqual({ ok: true });
  const [request] = asked;
  expect(request?.method).toBe("POST");
  expect(request?.url).toBe("https://chalkline.example/functions/v1/send-contact-email");
  expect(request?.headers.get("Idempotency-Key")).toBe("key-1");
  expect(request?.headers.get("Form-Evidence")).toBe("open-for-ms=5120");
  expect(request?.headers.get("Referer")).toBe("https://chalkline.example/newsletter/12");
  expect(await request?.json()).toEqual(contactMessage);
});

test("a sign-up sends the built-in backend the address and no webhook's, and how the form was filled in beside it", async () => {
  const { asked, functions } = inProcess(() => Response.json({ success: true }));
  await invokeSubscribe(functions, "dana@reyes.example", evidence);
  expect(asked[0]?.headers.get("Form-Evidence")).toBe("open-for-ms=5120");
  expect(await asked[0]?.json()).toEqual({ email: "dana@reyes.example", webhookUrl: "" });
});

test("a hosted project is sent its key, the webhook, and who asks from which page", async () => {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const hosted: BackendFunctions = serverFunctions(
    {
      settings: {
        hostedBackend: {
          url: "https://project.example",
          anonKey: "sb_publishable_1",
          webhookUrl: "https://hooks.example/own",
        },
      },
      backendFetch: null,
      origin: { clientAddress: "203.0.113.9", requestId: "0123456789abcdef" },
    } as unknown as Parameters<typeof serverFunctions>[0],
    page,
  );
  Object.assign(hosted.client, {
    fetch: async (url: string, init?: RequestInit) => {
      sent.push({ url, init });
      return Response.json({ success: true });
    },
  });
  await invokeSendMessage(hosted, contactMessage, sender);
  await invokeSubscribe(hosted, "dana@reyes.example", evidence);
  const headers = sent.map(({ init }) => new Headers(init?.headers));
  expect(sent[0]?.url).toBe("https://project.example/functions/v1/send-contact-email");
  expect(headers[0]?.get("apikey")).toBe("sb_publishable_1");
  expect(headers[0]?.get("Authorization")).toBe("Bearer sb_publishable_1");
  expect(headers[0]?.get("Idempotency-Key")).toBe("key-1");
  for (const one of headers) {
    expect(one.get("Form-Evidence")).toBe("open-for-ms=5120");
    expect(one.get("Referer")).toBe("https://chalkline.example/newsletter/12");
    expect(one.get("X-Forwarded-For")).toBe("203.0.113.9");
    expect(one.get("X-Request-Id")).toBe("0123456789abcdef");
  }
  expect(JSON.parse(String(sent[1]?.init?.body))).toEqual({
    email: "dana@reyes.example",
    webhookUrl: "https://hooks.example/own",
  });
});

test.each([
  ["no data", () => new Response(""), { ok: true, duplicate: false, message: null }],
  ["null", () => Response.json(null), { ok: true, duplicate: false, message: null }],
  [
    "a duplicate",
    () => Response.json({ success: true, duplicate: true, message: " Again. " }),
    { ok: true, duplicate: true, message: "Again." },
  ],
  [
    "a refusal without a message",
    () => Response.json({ success: false, message: "" }),
    { ok: false, reason: "refused", message: null },
  ],
])("%s is read as an answer to a sign-up", async (_name, answer, result) => {
  const { functions } = inProcess(answer);
  expect(await invokeSubscribe(functions, "dana@reyes.example", evidence)).toEqual(result);
});

test.each([
  ["an error status", () => Response.json({}, { status: 500 }), "function_error"],
  ["a broken connection", () => Promise.reject(new TypeError("reset")), "function_error"],
  [
    "a web page",
    () => new Response("<p>", { headers: { "Content-Type": "text/html" } }),
    "unexpected",
  ],
  ["a list", () => Response.json([]), "unexpected"],
  [
    "broken JSON",
    () => new Response("{", { headers: { "Content-Type": "application/json" } }),
    "unexpected",
  ],
])("%s is no answer to a sign-up", async (_name, answer, reason) => {
  const { functions } = inProcess(answer);
  const result = await invokeSubscribe(functions, "dana@reyes.example", evidence);
  expect(result).toMatchObject({ ok: false, reason });
});

test.each([
  ["90", 90],
  [null, 60],
  ["soon", 60],
])("status 429 with Retry-After %j asks to wait %i seconds", async (header, retryAfterSeconds) => {
  const headers: Record<string, string> = header === null ? {} : { "Retry-After": header };
  const { functions } = inProcess(() => Response.json({ error: "x" }, { status: 429, headers }));
  const limited = { ok: false, reason: "rate_limited", retryAfterSeconds };
  expect(await invokeSubscribe(functions, "dana@reyes.example", evidence)).toMatchObject(limited);
  expect(await invokeSendMessage(functions, contactMessage, sender)).toMatchObject(limited);
});

test("status 503 is a backend that is away for the moment, and says for how long", async () => {
  const { functions } = inProcess(() =>
    Response.json({ error: "x" }, { status: 503, headers: { "Retry-After": "5" } }),
  );
  const away = { ok: false, reason: "unavailable", retryAfterSeconds: 5 };
  expect(await invokeSubscribe(functions, "dana@reyes.example", evidence)).toMatchObject(away);
  expect(await invokeSendMessage(functions, contactMessage, sender)).toMatchObject(away);
});

test.each([{}, { ok: true }, { id: 7, message: "  " }])(
  "a sign-up's answer %j, which says nothing of success, is one",
  async (answer) => {
    const { functions } = inProcess(() => Response.json(answer));
    expect(await invokeSubscribe(functions, "dana@reyes.example", evidence)).toEqual({
      ok: true,
      duplicate: false,
      message: null,
    });
  },
);

test.each([[[]], ["<!doctype html>"], [{ success: "yes" }]])(
  "a sign-up's answer %j is none of a function",
  async (answer) => {
    const { functions } = inProcess(() => Response.json(answer));
    const result = await invokeSubscribe(functions, "dana@reyes.example", evidence);
    expect(result).toMatchObject({ ok: false, reason: "unexpected" });
  },
);

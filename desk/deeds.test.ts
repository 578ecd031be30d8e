import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { withDeeds } from "./deeds.ts";
import { deskContext } from "./desk-context.ts";

const multipart = (intent: string) => {
  const form = new FormData();
  form.set("intent", intent);
  return { body: form };
};
const urlEncoded = (intent: string) => ({ body: new URLSearchParams({ intent }) });
const mixedCase = (intent: string) => ({
  body: String(new URLSearchParams({ intent })),
  headers: { "Content-Type": "Application/X-WWW-Form-URLencoded" },
});

async function post(page: string, role: "owner" | "writer", init: RequestInit, work = () => {}) {
  const done: unknown[] = [];
  const action = async ({ request }: ActionFunctionArgs) => {
    work();
    done.push((await request.formData()).get("intent"));
    return { ok: true };
  };
  const routes = { [page]: { id: page, path: "", module: { action } } };
  const guarded = withDeeds(routes as unknown as Parameters<typeof withDeeds>[0])[page];
  const context = new RouterContextProvider();
  const visitor = { id: 1, name: "Ann", role, session: null };
  context.set(deskContext, { visitor, store: {}, now: Date, reportError() {} } as never);
  const request = new Request("http://desk.example.com/", { method: "POST", ...init });
  const args = { request, context, params: {} } as unknown as ActionFunctionArgs;
  await guarded?.module.action?.(args);
  return done;
}

test.for([
  ["pages/people", "invite"],
  ["pages/subscriber", "erase"],
  ["pages/issues", "restore"],
  ["pages/settings", "save"],
])(
  "a writer can't do an owner's deed, however the form is written: %s, %s",
  async ([page, deed]) => {
    for (const written of [urlEncoded, multipart, mixedCase]) {
      expect(await post(page ?? "", "writer", written(deed ?? ""))).toEqual([]);
      expect(await post(page ?? "", "owner", written(deed ?? ""))).toEqual([deed]);
    }
  },
);

test.for([
  ["a full disk", 507, { errcode: 13 }],
  ["a full disk", 507, { code: "ENOSPC" }],
  ["a full disk", 507, { code: "53100" }],
  ["a database that is away", 503, { code: "ECONNREFUSED" }],
  ["a database that is away", 503, { code: "57P01" }],
] as const)("%s is answered with %i", async ([, status, { ...named }]) => {
  const full = new Error("outside", { cause: Object.assign(new Error("full"), named) });
  const answer = post("pages/issues", "owner", urlEncoded("new"), () => {
    throw full;
  });
  await expect(answer).rejects.toMatchObject({ init: { status } });
});

test("a writer takes back what they deleted themselves", async () => {
  expect(await post("pages/issues", "writer", urlEncoded("undo"))).toEqual(["undo"]);
});

import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { deskContext, withOutages } from "./desk-context.ts";

test.for([
  ["a full disk", 507, { errcode: 13 }],
  ["a full disk", 507, { code: "ENOSPC" }],
  ["a full disk", 507, { code: "53100" }],
  ["a database that is away", 503, { code: "ECONNREFUSED" }],
  ["a database that is away", 503, { code: "57P01" }],
] as const)("%s is answered with %i", async ([, status, { ...named }]) => {
  const action = () => {
    throw new Error("outside", { cause: Object.assign(new Error("full"), named) });
  };
  const routes = { page: { id: "page", path: "", module: { action } } };
  const guarded = withOutages(routes as unknown as Parameters<typeof withOutages>[0]).page;
  const context = new RouterContextProvider();
  context.set(deskContext, { reportError() {} } as never);
  const args = { context } as unknown as ActionFunctionArgs;
  await expect(guarded?.module.action?.(args)).rejects.toMatchObject({ init: { status } });
});

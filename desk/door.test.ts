import { Hono } from "hono";
import { expect, it } from "vitest";
import { createDoor } from "./door.ts";

it("lets somebody in through a proxy with https, whichever Host it passes on", async () => {
  const hosts = ["127.0.0.1:4477", "desk.example.com"];
  const address = "https://desk.example.com";
  for (const [host, passedOn, cookie] of [
    ["desk.example.com", {}, /^__Host-desk=.*; Secure/],
    ["127.0.0.1:4477", { "X-Forwarded-Proto": "https" }, /^__Host-desk=.*; Secure/],
    ["127.0.0.1:4477", {}, /^desk=(?!.*Secure)/],
  ] as const) {
    const door = createDoor({ hosts, address, now: () => new Date() });
    const app = new Hono().use(door.guard).all("*", (context) => context.text("in"));
    const ask = async (path: string, headers: Record<string, string>, method = "GET") =>
      await app.request(`http://${host}${path}`, {
        method,
        headers: { Host: host, ...passedOn, ...headers },
      });
    const opened = await ask(`/open?token=${door.token}`, {});
    const set = opened.headers.get("Set-Cookie") ?? "";
    expect(set).toMatch(cookie);
    const session = { Cookie: set.split(";", 1)[0] ?? "" };
    expect((await ask("/", session)).status).toBe(200);
    expect((await ask("/", { ...session, Origin: address }, "POST")).status).toBe(200);
    expect((await ask("/", { ...session, Origin: "https://example.com" }, "POST")).status).toBe(
      403,
    );
    expect((await ask(`/open?token=${door.token}`, {})).status).toBe(403);
  }
});

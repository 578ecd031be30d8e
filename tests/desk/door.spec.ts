import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { renameTable } from "../issue-table.ts";
import { requestRaw } from "../raw-request.ts";
import { expect, test } from "./desk-test.ts";

test("the link works once, and nobody comes in without its session, which no other program is sent", async ({
  page,
  context,
  desk,
  browser,
  expectConsole,
}) => {
  expectConsole(/401/);
  await page.goto("about:blank");
  await context.clearCookies();
  await desk.restart();
  await page.goto(desk.link());
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  const cookies = await context.cookies();
  expect(cookies.filter(({ name }) => name === "desk")).toMatchObject([
    {
      domain: expect.stringMatching(/^desk-[0-9a-f]{12}\.localhost$/),
      httpOnly: true,
      sameSite: "Strict",
    },
  ]);

  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  const used = await other.goto(desk.link());
  expect(used?.status()).toBe(403);
  await expect(other.getByRole("heading", { name: "This link has been used" })).toBeVisible();
  for (const address of ["/", "/messages", "/messages/export.csv", "/settings", "/settings.data"]) {
    const answer = await stranger.request.get(desk.url + address);
    expect(answer.status(), address).toBe(401);
    expect(await answer.text(), address).not.toContain("SMTP_URL");
  }
  await stranger.close();

  // The session ends with the process, and the name stays.
  const own = new URL(page.url());
  await page.goto("about:blank");
  await desk.restart();
  await page.goto(own.href);
  await expect(page.getByRole("heading", { name: "The desk is closed" })).toBeVisible();
  await page.goto(desk.link());
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  expect(new URL(page.url()).host).toBe(own.host);

  const seen: string[] = [];
  const program = createServer((request, response) => {
    seen.push(`${request.headers.host} ${request.headers.cookie ?? "no cookie"}`);
    response.setHeader("Content-Type", "text/html").end("<link rel=icon href=data:,>Hello");
  });
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  const { port } = program.address() as AddressInfo;
  for (const host of ["localhost", "127.0.0.1"]) await page.goto(`http://${host}:${port}/`);
  // Not even by the desk's own name, from a page of its own: a strict cookie stays.
  await page.evaluate((to) => window.location.assign(to), `http://${own.hostname}:${port}/`);
  await page.waitForURL(`http://${own.hostname}:${port}/`);
  expect(seen.filter((line) => line.startsWith("desk-"))).not.toEqual([]);
  expect(seen.filter((line) => !line.endsWith("no cookie"))).toEqual([]);
  await page.goto(own.href);
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  program.close();
  await desk.leaveSession(context);
});

test("where the browser doesn't know the desk's own name, it asks before it stays", async ({
  browser,
  desk,
}) => {
  await desk.restart();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(/\/here$/, (route) => route.abort());
  await page.goto(desk.link());
  await page.getByRole("link", { name: "open the desk here" }).click();
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  expect(new URL(page.url()).hostname).toBe("127.0.0.1");
  await desk.leaveSession(context);
  await context.close();
});

test("refuses another host, and forms and requests from other sites' pages", async ({
  site,
  desk,
}) => {
  const { name, value } = await desk.session();
  const session = { Cookie: `${name}=${value}` };
  const ask = async (headers: Record<string, string>, method = "GET") =>
    (await fetch(`${desk.url}/messages`, { method, headers: { ...session, ...headers } })).status;
  expect(await ask({})).toBe(200);
  expect(await ask({ Origin: "https://evil.example" }, "POST")).toBe(403);
  expect(await ask({ Origin: "null" }, "POST")).toBe(403);
  expect(await ask({ "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe" })).toBe(403);
  expect(await ask({ "Sec-Fetch-Site": "none" }, "POST")).toBe(403);
  const headers = { ...session, Host: "evil.example" };
  expect((await requestRaw(desk.url, { path: "/", headers })).status).toBe(421);

  // The public site doesn't serve it.
  for (const address of ["/open", "/messages", "/settings", "/subscribers"]) {
    expect((await fetch(site.url + address)).status, address).toBe(404);
  }
});

test("every answer of the desk has the security headers, from the link's page to an error", async ({
  site,
  desk,
}) => {
  const { name, value } = await desk.session();
  const session = { Cookie: `${name}=${value}`, Origin: desk.url };
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(desk.url + path, { headers: session, ...options });

  await renameTable(site, "contact_messages", "messages_aside");
  const broken = await ask("/messages");
  await renameTable(site, "messages_aside", "contact_messages");
  const answers: [what: string, status: number, Response][] = [
    ["a page", 200, await ask("/messages")],
    ["its data", 200, await ask("/messages.data")],
    ["a file", 200, await ask("/favicon.svg")],
    ["an export", 200, await ask("/messages/export.csv")],
    ["a missing page", 404, await ask("/nowhere")],
    ["a broken page", 500, broken],
    ["a closed door", 401, await fetch(`${desk.url}/messages`)],
    ["the page of a used link", 403, await fetch(desk.link())],
    ["another site's form", 403, await ask("/", { method: "POST", headers: { Origin: "null" } })],
  ];
  await desk.restart();
  answers.push(["the link's page", 200, await fetch(desk.link())]);
  for (const [what, status, answer] of answers) {
    const header = (name: string) => answer.headers.get(name);
    expect(answer.status, what).toBe(status);
    expect(header("X-Content-Type-Options"), what).toBe("nosniff");
    expect(header("Referrer-Policy"), what).toBe("same-origin");
    expect(header("Cross-Origin-Opener-Policy"), what).toBe("same-origin");
    expect(header("Cross-Origin-Resource-Policy"), what).toBe("same-origin");
    expect(header("Content-Security-Policy"), what).toContain("default-src 'none'");
    if (!/file|form/.test(what)) expect(header("Cache-Control"), what).toBe("no-store");
  }
});

import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { runInTerminal } from "../in-terminal.ts";
import { renameTable } from "../issue-table.ts";
import { patienceMs } from "../patience.ts";
import { smallestPicture } from "../phone-photo.ts";
import { requestRaw } from "../raw-request.ts";
import { bareEnvironment } from "../site-server.ts";
import { expect, startDraft, test, untilSaved } from "./desk-test.ts";

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
  expect(await context.cookies()).toMatchObject([
    {
      name: "desk",
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
  await desk.restart();
  await page.reload();
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

test("the link opens a browser, and other users of the machine see it in no process", async ({
  site: _running,
}, info) => {
  const folder = info.outputPath("terminal");
  const env = { ...bareEnvironment, DATA_DIR: path.join(folder, "data") };
  const { child, said, opened } = await runInTerminal(`${process.execPath} desk/start.mjs`, {
    folder,
    env: { ...env, NODE_ENV: "production", DESK_PORT: String(await freePort()) },
  });
  const note = async () => await readFile(opened, "utf8").catch(() => "");
  await expect.poll(note, { timeout: patienceMs }).toContain("\n");
  const [, token = ""] = /token=(\S+)/.exec(said()) ?? [];
  expect(token).toMatch(/^[\w-]{40,}$/);
  const [words = "", rights, text] = (await note()).split("\n");
  expect(words).toMatch(/\/open-the-desk\.html$/);
  expect(rights).toBe("600");
  expect(text).toContain(`token=${token}`);
  // Linux: the arguments and the environment of every process.
  for (const id of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const shown = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
    expect(shown).not.toContain(token);
  }
  await endProcess(child);
  await expect.poll(() => existsSync(words)).toBe(false);
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
  page,
  site,
  desk,
}) => {
  await startDraft(page, desk.url);
  await page.getByLabel("Title").fill("Headers");
  await page.locator("div[role=textbox]").fill("Words.");
  await untilSaved(page);
  const draft = new URL(page.url()).pathname;
  const { name, value } = await desk.session();
  const session = { Cookie: `${name}=${value}`, Origin: desk.url };
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(desk.url + path, { headers: session, ...options });

  const upload = await ask(`${draft}/pictures`, { method: "POST", body: smallestPicture });
  const picture: string = (await upload.clone().json()).path;
  await renameTable(site, "contact_messages", "messages_aside");
  const broken = await ask("/messages");
  await renameTable(site, "messages_aside", "contact_messages");
  const answers: [what: string, status: number, Response][] = [
    ["a page", 200, await ask("/messages")],
    ["its data", 200, await ask("/messages.data")],
    ["an upload", 200, upload],
    ["a preview", 200, await ask(`${draft}/preview/page`)],
    ["a picture", 200, await ask(picture)],
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
    if (!/file|picture|form/.test(what)) expect(header("Cache-Control"), what).toBe("no-store");
  }
});

test("a signal ends the desk after what is under way is answered", async ({ desk, page }) => {
  await startDraft(page, desk.url);
  const draft = new URL(page.url()).pathname;
  await page.goto("about:blank");
  const { name, value } = await desk.session();
  const { hostname: host, port } = new URL(desk.url);
  const upload = request({
    host,
    port,
    path: `${draft}/pictures`,
    method: "POST",
    headers: { Cookie: `${name}=${value}`, Origin: desk.url, Expect: "100-continue" },
  });
  upload.flushHeaders();
  // The desk has the request, and waits for its body.
  await once(upload, "continue");
  const answered = once(upload, "response");
  const restarted = desk.restart("SIGINT");
  await expect.poll(() => isListening(desk.url)).toBe(false);
  upload.end(smallestPicture);
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  response.resume();
  expect(await restarted).toBe(0);
});

function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test("what can't be read is said in its place, and leaves the rest of the page", async ({
  page,
  site,
  desk,
}) => {
  await renameTable(site, "consent_events", "set_aside");
  await page.goto(`${desk.url}/issues`);
  const newest = page.getByRole("listitem").filter({ hasText: "#3" });
  await expect(newest).toContainText("what came of it can’t be read");
  await renameTable(site, "set_aside", "consent_events");
  await page.reload();
  await expect(newest).toContainText("published, not sent");
  await expect(newest).not.toContainText("can’t be read");
});

test("shows what needs attention, and where messages wait", async ({ page, site, desk }) => {
  const message = { ...contactMessage, firstName: "Wanda", message: "Ring me, please." };
  const sent = await callFunction(site.url, "send-contact-email", message);
  expect(sent.status).toBe(200);
  await page.goto(desk.url);
  await expect(page.getByRole("link", { name: /Wanda Souza/ })).toContainText("Ring me, please.");
  await expect(page.getByText("Looking at the settings")).toHaveCount(0);

  const backups = path.join(site.dataDir, "backups");
  mkdirSync(backups, { recursive: true });
  writeFileSync(path.join(backups, "failed.txt"), "there is no room");
  await page.reload();
  const failure = page.getByText(/the backup of .* failed: there is no room/);
  await expect(failure).toBeVisible();
  await page.goto(`${desk.url}/backups`);
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByRole("status")).toContainText("The backup is made");
  await page.goto(desk.url);
  await expect(page.getByText("Looking at the settings")).toHaveCount(0);
  await expect(failure).toHaveCount(0);
});

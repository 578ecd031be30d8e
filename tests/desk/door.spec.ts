import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";
import { requestRaw } from "../raw-request.ts";
import { expect, test } from "./desk-test.ts";

test("the link works once, and nobody comes in without its session", async ({
  page,
  desk,
  browser,
  expectConsole,
}) => {
  expectConsole(/401/);
  await desk.restart();
  await page.goto(desk.link());
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
  const [cookie] = await page.context().cookies(desk.url);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });

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

  // The session ends with the process.
  await desk.restart();
  await page.reload();
  await expect(page.getByRole("heading", { name: "The desk is closed" })).toBeVisible();
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

test("shows what needs attention, and where messages wait", async ({ page, site, desk }) => {
  const message = { ...contactMessage, firstName: "Wanda", message: "Ring me, please." };
  const sent = await callFunction(site.url, "send-contact-email", message);
  expect(sent.status).toBe(200);
  await page.goto(desk.url);
  await expect(page.getByRole("link", { name: /Wanda Souza/ })).toContainText("Ring me, please.");
  await expect(page.getByText("Looking at the settings")).toHaveCount(0);
});

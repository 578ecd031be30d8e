import type { Browser, BrowserContext, Page } from "@playwright/test";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { runCommand } from "../site-commands.ts";
import type { SiteServer } from "../site-server.ts";
import { waitForScripts } from "../site-test.ts";
import { type DeskServer, expect, sayYes, startDraft, test } from "./desk-test.ts";

test.use({ isFromAnywhere: true });

/** A link from the terminal, as the operator makes it. */
async function inviteByCommand(site: SiteServer, desk: DeskServer, name: string) {
  const { dataDir, databaseUrl } = site.database;
  const { exitCode, stdout } = await runCommand(["desk", "invite", name, "--json"], {
    env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? "", DESK_ADDRESS: desk.url },
  });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout).link as string;
}

/** A browser on another device, whose fingerprint is always taken. */
async function newDevice(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = waitForScripts(await context.newPage());
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page };
}

async function join(page: Page, link: string, device: string) {
  await page.goto(link);
  await page.getByLabel("Name of this device").fill(device);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Today" })).toBeVisible();
}

const person = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name }) });

test("the owner comes in by the terminal's link, invites somebody, adds a device and ends a session", {
  tag: "@postgres",
}, async ({ site, browser, desk }) => {
  test.slow();
  const laptop = await newDevice(browser);
  const link = await inviteByCommand(site, desk, "Ann Lee");
  await join(laptop.page, link, "Ann's laptop");
  const cookies = await laptop.context.cookies();
  expect(cookies.filter(({ name }) => name !== "visit")).toMatchObject([
    { name: "__Host-desk", httpOnly: true, secure: true, sameSite: "Strict", path: "/" },
  ]);

  // The used link, on a stranger's device, and in an app's own window.
  const stranger = await newDevice(browser);
  const app = await stranger.context.newPage();
  await app.addInitScript("delete window.PublicKeyCredential");
  await app.goto(link);
  await expect(app.getByRole("alert")).toContainText("This window belongs to an app");
  await stranger.page.goto(link);
  await stranger.page.getByLabel("Name of this device").fill("Mine");
  await stranger.page.getByRole("button", { name: "Make a passkey" }).click();
  await expect(stranger.page.getByRole("alert")).toContainText("This link has been used");
  await stranger.page.goto(`${desk.url}/subscribers?find=a`);
  await stranger.page.getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.page.getByRole("alert")).toContainText("Nothing was done");
  await stranger.context.close();

  const { page } = laptop;
  await page.getByRole("link", { name: "People" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ben Ito");
  await page.getByRole("button", { name: "Make a link" }).click();
  const forBen = await page.getByLabel("The link").inputValue();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(forBen);
  const bens = await newDevice(browser);
  await join(bens.page, forBen, "Ben's phone");

  await person(page, "Ann Lee").getByRole("button", { name: "Add a device of yours" }).click();
  await expect(page.getByLabel("The link")).not.toHaveValue(forBen);
  const forPhone = await page.getByLabel("The link").inputValue();
  await expect(page.getByRole("img", { name: /code for a phone/ })).toBeVisible();
  await expect(person(page, "Ann Lee")).toContainText("A link is open");
  const phone = await newDevice(browser);
  await phone.page.setViewportSize({ width: 390, height: 844 });
  for (const address of [desk.url, forPhone]) {
    await phone.page.goto(address);
    expect(await accessibilityFaults(phone.page)).toEqual([]);
  }
  await join(phone.page, forPhone, "Ann's phone");

  await phone.page.goto(`${desk.url}/people`);
  await phone.page.getByLabel("More for Ann's phone").click();
  await phone.page.getByRole("button", { name: "Sign out" }).click();
  await expect(phone.page.getByRole("heading", { name: /desk$/ })).toBeVisible();
  await phone.page.goto(`${desk.url}/messages?page=2`);
  await phone.page.getByRole("button", { name: "Sign in" }).click();
  await expect(phone.page).toHaveURL(`${desk.url}/messages?page=2`);

  // After an hour, inviting and taking data away ask for the passkey again.
  await inDatabase(site, (db) =>
    db.updateTable("desk_sessions").set({ created_at: "2026-01-01T00:00:00.000Z" }).execute(),
  );
  await page.getByRole("button", { name: "Add a device of yours" }).click();
  await expect(page.getByText("You signed in more than an hour ago.")).toBeVisible();
  const exported = await phone.context.request.get(`${desk.url}/subscribers/export.csv`);
  expect(exported.url()).toBe(`${desk.url}/enter?to=%2Fsubscribers&again=`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${desk.url}/people`);
  await page.getByRole("button", { name: "Add a device of yours" }).click();
  await expect(page.getByLabel("The link")).toBeVisible();

  await page.reload();
  const device = person(page, "Ann Lee").getByRole("listitem").filter({ hasText: "Ann's phone" });
  await device.getByLabel("More for Ann's phone").click();
  await device.getByRole("button", { name: "End its session" }).click();
  await expect(page.getByRole("status")).toContainText("That session has ended.");
  await phone.page.reload();
  await expect(phone.page.getByRole("button", { name: "Sign in" })).toBeVisible();

  // Ben, signed in anew, may do everything but invite and remove others.
  await bens.page.goto(`${desk.url}/enter?to=%2Fpeople&again=`);
  await bens.page.getByRole("button", { name: "Sign in" }).click();
  await expect(bens.page.getByRole("heading", { level: 2 })).toHaveText(["Ben Ito, you"]);
  for (const intent of ["invite", "remove person"]) {
    const form = { intent, name: "Dee", id: "1" };
    await bens.context.request.post(`${desk.url}/people`, { form, headers: { Origin: desk.url } });
  }
  // With the mark by which Excel reads UTF-8.
  const list = await bens.context.request.get(`${desk.url}/subscribers/export.csv`);
  expect(`${(await list.body()).subarray(0, 8)}`).toBe("\ufeffemail");
  await page.reload();
  const names = page.getByRole("heading", { level: 2 });
  await expect(names).toHaveText(["Ann Lee, you", "Ben Ito", "Invite somebody"]);

  await sayYes(page);
  await page.getByLabel("More for Ben Ito").click();
  await page.getByRole("button", { name: "Remove Ben Ito" }).click();
  await expect(page.getByRole("status")).toContainText("can’t open the desk any more");
  await bens.page.goto(`${desk.url}/messages`);
  await expect(bens.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  for (const [device, said] of [
    ["Ann's phone", "That device can’t open the desk any more"],
    ["Ann's laptop", "This is the owner's last device"],
  ]) {
    await page.getByLabel(`More for ${device}`).click();
    await page.getByRole("button", { name: `Remove ${device}` }).click();
    await expect(page.locator(".notice")).toContainText(said ?? "");
  }
  const people = page.url();
  await page.goto("about:blank");
  await desk.restart();
  await page.goto(people);
  await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
  for (const { context } of [laptop, bens, phone]) await context.close();
});

test("a session that ends while somebody types keeps the text, which is saved after the passkey", async ({
  site,
  browser,
  desk,
}) => {
  const { page, context } = await newDevice(browser);
  await join(page, await inviteByCommand(site, desk, "Eve Ng"), "Eve's laptop");
  await startDraft(page, desk.url);
  const draft = Number(new URL(page.url()).pathname.split("/").at(-1));
  await page.getByLabel("Title").fill("Before");
  const titleOf = async () =>
    await inDatabase(site, async (db) => {
      const found = db.selectFrom("drafts").select("title").where("id", "=", draft);
      return (await found.executeTakeFirstOrThrow()).title;
    });
  await expect.poll(titleOf).toBe("Before");
  await inDatabase(site, (db) => db.deleteFrom("desk_sessions").execute());
  await page.getByLabel("Title").fill("After");
  await expect(page.getByText("Your session has ended")).toBeVisible();
  expect(await titleOf()).toBe("Before");

  // The passkey is this window's authenticator, so the sign-in is in a frame of time and not of tabs.
  const signedIn = await page.evaluate(async () => {
    const post = (path: string, body: object) =>
      fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const { options } = await (await post("/enter/ask", {})).json();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const given = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return (await post("/enter/answer", { response: given.toJSON() })).status;
  });
  expect(signedIn).toBe(200);
  await expect.poll(titleOf).toBe("After");
  await expect(page.getByText("Your session has ended")).toHaveCount(0);
  await context.close();
});

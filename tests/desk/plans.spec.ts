import { writeFile } from "node:fs/promises";
import path from "node:path";
import { torontoDay } from "#content/toronto-time.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { confirmForLinks } from "../mail-links.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, sayYes, startDraft, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

test("publishes a draft and mails it in one press", async ({ page, site, desk }) => {
  const { address: subscriber } = await confirmForLinks(site);
  await sayYes(page);
  await startDraft(page, desk.url);
  await page.getByLabel("Title").fill("At once");
  await page.locator("div[role=textbox]").fill("Words.");
  await page.getByLabel("Title").press("ControlOrMeta+Enter");
  await page.getByRole("radio", { name: /To \d+ subscriber/ }).check();
  // Written in another window meanwhile, it waits for a second look.
  const publish = page.getByRole("button", { name: /^Publish and mail to/ });
  await inDatabase(site, (db) => db.updateTable("drafts").set({ version: 99 }).execute());
  await publish.click();
  await expect(page.getByText("The draft was changed after you opened this.")).toBeVisible();
  await expect(publish).toBeDisabled();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("button", { name: "Go on with its text" }).click();
  await publish.click();
  await page.waitForURL(/sends\/\d+$/);
  await site.mail(({ to, subject }) =>
    Boolean(to?.some(({ address }) => address === subscriber) && subject === "At once"),
  );
});

test("schedules a send, says when and to how many, moves it, and mails the issue as it is then", async ({
  page,
  site,
  desk,
}) => {
  test.slow();
  const { address: subscriber } = await confirmForLinks(site);
  const { id } = await site.publish({ title: "Planned", html: "<p>The old price.</p>" });
  const question = page.getByRole("dialog");
  const day = torontoDay(site.now()).add({ days: 1 });
  await page.goto(`${desk.url}/issues/${id}`);
  const hour = page.getByLabel("Day and hour, in Toronto’s time");
  await page.getByLabel("At another hour").check();
  await hour.fill(`${day}T07:30`);
  await page.getByRole("button", { name: /^Send to/ }).click();
  const state = page.locator("h2.state");
  await expect(state).toHaveText(/^Waiting for/);
  await expect(page.getByText("Corrections until then are included")).toBeVisible();

  await page.getByLabel("Another hour, in Toronto’s time").fill(`${day}T09:15`);
  await page.getByRole("button", { name: "Change the hour" }).click();
  await expect(question).toContainText("tomorrow at 09:15, Toronto’s time");
  await question.getByRole("button", { name: "Change the hour" }).click();
  const status = page.getByRole("status");
  await expect(status).toContainText(/It begins on \w+, .* 9:15 a\.m\./);
  // The words stay when the page looks again.
  await page.waitForResponse(/\.data/);
  await page.waitForRequest(/\/session$/);
  await expect(status).toContainText("It begins on");

  await site.command("sends", "pause", page.url().split("/").at(-1) ?? "");
  await expect(state).toHaveText("Paused before it began");
  await page.getByLabel("Another hour, in Toronto’s time").fill(`${day}T09:15`);
  await page.getByRole("button", { name: "Go on at this hour" }).click();
  await question.getByRole("button", { name: "Go on at this hour" }).click();
  await expect(state).toHaveText(/^Waiting for/);
  const file = path.join(site.dataDir, "planned.md");
  await writeFile(file, "---\ntitle: As planned\n---\n\nThe new price.");
  await site.command("issues", "update", String(id), file, "--yes");

  const hourMs = day.toZonedDateTime({ timeZone: "America/Toronto", plainTime: "09:16" });
  await site.passTime(hourMs.epochMilliseconds - site.now());
  await expect(state).toHaveText("Sent");
  const mails = site.mails().filter(({ to }) => to?.some(({ address }) => address === subscriber));
  const issues = mails.filter(({ subject }) => /planned/i.test(subject ?? ""));
  expect(issues.map(({ subject }) => subject)).toEqual(["As planned"]);
  expect(issues[0]?.text).toContain("The new price.");
});

test("publishes and sends a draft at an hour, as it is then", async ({ page, site, desk }) => {
  test.slow();
  const { address: subscriber } = await confirmForLinks(site);
  await sayYes(page);
  const day = torontoDay(site.now()).add({ days: 3 });
  const draft = await startDraft(page, desk.url);
  const status = page.getByRole("status");
  const publish = page.getByRole("button", { name: "Publish…" });
  await publish.click();
  await expect(page.getByRole("alert")).toContainText("nothing to publish");
  await page.goto(`${draft}/plan`);
  await expect(page.getByRole("button", { name: "Publish now, mail nobody" })).toBeDisabled();
  await page.goto(draft);
  const hour = page.getByLabel("Day and hour, in Toronto’s time");
  await page.getByLabel("Title").fill("Planned together");
  const text = page.locator("div[role=textbox]");
  await text.fill("As it was planned.");
  await untilSaved(page);
  await publish.click();
  const planAt = async (at: string) => {
    await page.getByLabel("At another hour").check();
    await hour.fill(at);
    await page.getByRole("radio", { name: /To \d+ subscriber/ }).check();
    await page.getByRole("button", { name: "Plan it" }).click();
  };
  await planAt(`${day.add({ years: 10 })}T07:00`);
  await expect(page.getByRole("alert")).toContainText("more than a year ahead");
  await planAt(`${day}T07:00`);
  await expect(status).toContainText(/published on .*, and sent to \d+ subscribers? as the list/);
  const date = day.toLocaleString("en-US", { dateStyle: "long" });
  await expect(page.frameLocator("iframe").getByText(date)).toBeVisible();
  const siteShows = async () =>
    (await (await fetch(`${site.url}/newsletter`)).text()).includes("Planned together");
  expect(await siteShows()).toBe(false);

  await page.goto(`${desk.url}/issues?show=planned`);
  await page.getByLabel("More for Planned together").click();
  await page.getByRole("button", { name: "Call it off" }).click();
  await page.waitForURL(/show=drafts/);
  expect(await inDatabase(site, (db) => listPlans(db))).toEqual([]);
  await page.goto(`${draft}/plan`);
  await planAt(`${day}T07:00`);
  await expect(status).toContainText("It will be published on");

  await page.goto(`${desk.url}/issues?show=planned`);
  await page.getByRole("link", { name: /Planned together to be published and sent on/i }).click();
  await text.fill("As it is at its hour.");
  await untilSaved(page);
  await page.getByRole("link", { name: /^Planned for / }).click();
  await hour.fill(`${day}T08:30`);
  await page.getByRole("button", { name: "Change the plan" }).click();
  await expect(status).toContainText("8:30");
  await site.restart();
  const at = day.toZonedDateTime({ timeZone: "America/Toronto", plainTime: "08:31" });
  await site.passTime(at.epochMilliseconds - site.now());
  await expect.poll(siteShows).toBe(true);
  const mail = await site.mail(({ to, subject }) =>
    Boolean(to?.some(({ address }) => address === subscriber) && subject === "Planned together"),
  );
  expect(mail.text).toContain("As it is at its hour.");
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("link", { name: /Planned together (Sen|\d+ delivered)/ }).click();
  await expect(page.getByRole("link", { name: /\d+ mails? delivered/ })).toHaveCount(1);
});

test.describe("by today's clock", () => {
  // A server whose time no other test has passed.
  test.use({ siteSettings: { ...sendingSettings, SITE_NAME: "Chalkline on time" } });

  test("in the last minutes before a plan only what is asked for is saved, and then it corrects", async ({
    page,
    site,
    desk,
  }) => {
    await sayYes(page);
    await startDraft(page, desk.url);
    const text = page.locator("div[role=textbox]");
    await page.getByLabel("Title").fill("Almost out");
    await text.fill("Complete.");
    await untilSaved(page);
    const due_at = new Date(site.now() + 25_000).toISOString();
    const draft_id = Number(page.url().split("/").at(-1));
    const plan = { draft_id, due_at, created_at: due_at, audience: null, problem: null };
    await inDatabase(site, (db) => db.insertInto("plans").values(plan).execute());
    await text.fill("Half a sen");
    const status = page.getByRole("status").first();
    await expect(status).toHaveText("Kept in this window");
    await page.getByRole("button", { name: "Publish this text instead" }).click();
    await untilSaved(page);
    await text.fill("Another half");
    await expect(status).toHaveText("Kept in this window");
    // The hour comes, and the window hears of it late.
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
    await page.route(/drafts\/\d+\.data/, async (route) => {
      if (route.request().method() === "GET") await heard;
      await route.continue();
    });
    const shown = async () => await (await fetch(`${site.url}/newsletter`)).text();
    await expect.poll(shown).toContain("Half a sen");
    await page.getByRole("button", { name: "Change the plan…" }).click();
    await expect(page.getByRole("alert")).toContainText("It was published as #");
    hear();
    const correct = page.getByRole("button", { name: "Publish the correction" });
    await expect(correct).toBeVisible();
    await untilSaved(page);
    expect(await shown()).toContain("Half a sen");
    await correct.click();
    await page.waitForURL(/issues\/\d+$/);
    await expect.poll(shown).toContain("Another half");
  });
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { torontoDay } from "#content/toronto-time.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { inDatabase } from "../issue-table.ts";
import { confirmForLinks } from "../mail-links.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, startDraft, test, untilSaved } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

test("publishes a draft and mails it in one press", async ({ page, site, desk }) => {
  const { address: subscriber } = await confirmForLinks(site);
  page.on("dialog", (dialog) => dialog.accept());
  await startDraft(page, desk.url);
  await page.getByLabel("Title").fill("At once");
  await page.locator("div[role=textbox]").fill("Words.");
  await page.getByLabel("Title").press("ControlOrMeta+Enter");
  await page.getByLabel(/To \d+ subscribers?, at once/).check();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  await page.getByRole("button", { name: /^Publish and send to/ }).click();
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
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return dialog.accept();
  });
  const day = torontoDay(site.now()).add({ days: 1 });
  await page.goto(`${desk.url}/issues/${id}`);
  const hour = page.getByLabel("Begin at, in Toronto’s time");
  const send = page.getByRole("button", { name: /^Send to/ });
  await hour.fill(`${day.add({ years: 3 })}T07:30`);
  await send.click();
  await expect(page.getByRole("alert")).toContainText("more than a year ahead");
  await hour.fill(`${day}T07:30`);
  await send.click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Waiting: Planned");
  expect(questions.at(-1)).toMatch(
    new RegExp(`^Send “Planned” to [\\d,]+ subscribers? on ${day} at 07:30, Toronto’s time`),
  );
  await expect(page.getByText("to go, as the list is now")).toBeVisible();
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);

  // An unknown intent does nothing.
  const headers = { Origin: desk.url };
  await page.request.post(page.url(), { form: { intent: "no such thing" }, headers });
  await page.reload();
  await expect(heading).toHaveText("Waiting: Planned");

  await page.getByLabel("Another hour, in Toronto’s time").fill(`${day}T09:15`);
  await page.getByRole("button", { name: "Change the hour" }).click();
  await expect(page.getByRole("status")).toContainText("It has its new hour.");
  expect(questions.at(-1)).toContain(`on ${day} at 09:15, Toronto’s time`);
  const file = path.join(site.dataDir, "planned.md");
  await writeFile(file, "---\ntitle: As planned\n---\n\nThe new price.");
  await site.command("issues", "update", String(id), file, "--yes");

  const hourMs = day.toZonedDateTime({ timeZone: "America/Toronto", plainTime: "09:16" });
  await site.passTime(hourMs.epochMilliseconds - site.now());
  await expect(heading).toHaveText("Sent: As planned");
  const mails = site.mails().filter(({ to }) => to?.some(({ address }) => address === subscriber));
  const issues = mails.filter(({ subject }) => /planned/i.test(subject ?? ""));
  expect(issues.map(({ subject }) => subject)).toEqual(["As planned"]);
  expect(issues[0]?.text).toContain("The new price.");
});

test("publishes and sends a draft at an hour, as it is then", {
  tag: "@postgres",
}, async ({ page, site, desk }) => {
  test.slow();
  const { address: subscriber } = await confirmForLinks(site);
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return dialog.accept();
  });
  const day = torontoDay(site.now()).add({ days: 3 });
  await startDraft(page, desk.url);
  const status = page.getByRole("status");
  const publish = page.getByRole("button", { name: "Publish…" });
  await publish.click();
  await expect(page.getByRole("alert")).toContainText("nothing to publish");
  const hour = page.getByLabel("Day and hour, in Toronto’s time");
  await page.getByLabel("Title").fill("Planned together");
  const text = page.locator("div[role=textbox]");
  await text.fill("As it was planned.");
  await untilSaved(page);
  await publish.click();
  await page.getByLabel("At an hour").check();
  // The year is mistyped.
  await hour.fill(`${day.add({ years: 10 })}T07:00`);
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(page.getByRole("alert")).toContainText("more than a year ahead");
  await hour.fill(`${day}T07:00`);
  await page.getByLabel(/To \d+ subscribers?, at that hour/).check();
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(status).toContainText("It will be published on");
  await expect(status).toContainText(/and sent to \d+ subscribers? as the list is now/);
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const siteShows = async () =>
    (await (await fetch(`${site.url}/newsletter`)).text()).includes("Planned together");
  expect(await siteShows()).toBe(false);

  // It is in the list, can be moved, and its text still changed.
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("link", { name: /Planned together to be published and sent on/ }).click();
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
  await page.getByRole("link", { name: /Planned together sen/ }).click();
  await expect(
    page.getByRole("link", { name: /1 mail delivered|\d+ mails delivered/ }),
  ).toHaveCount(1);
});

test("a plan is called off in the list, by one press", async ({ page, site, desk }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await startDraft(page, desk.url);
  await page.getByLabel("Title").fill("Ahead of its day");
  await page.locator("div[role=textbox]").fill("Words.");
  await untilSaved(page);
  await page.getByRole("button", { name: "Publish…" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Publish: Ahead of its day");
  await page.getByLabel("At an hour, with the text").check();
  const day = torontoDay(site.now()).add({ days: 30 });
  await page.getByLabel("Day and hour").fill(`${day}T07:30`);
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(
    page.getByText(/^It will be published on .* 7:30 a\.m\.; nobody is mailed\.$/),
  ).toBeVisible();
  await page.goto(`${desk.url}/issues`);
  const listed = page.getByRole("listitem").filter({ hasText: "Ahead of its day" });
  await listed.getByRole("link", { name: "Change" }).click();
  await page.getByLabel("To nobody for now").check();
  await page.goBack();
  await listed.getByRole("button", { name: "Call off" }).click();
  await expect(listed.getByRole("link", { name: /draft, saved/ })).toBeVisible();
  expect(await inDatabase(site, (db) => listPlans(db))).toEqual([]);
});

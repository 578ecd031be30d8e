import { writeFile } from "node:fs/promises";
import path from "node:path";
import { torontoDay } from "#content/toronto-time.ts";
import { accessibilityFaults } from "../every-page/axe.ts";
import { confirmForLinks } from "../mail-links.ts";
import { sendingSettings } from "../site-server.ts";
import { expect, test } from "./desk-test.ts";

test.use({ siteSettings: sendingSettings });

test("schedules a send, says when and to how many, moves it, and mails the issue as it is then", {
  tag: "@postgres",
}, async ({ page, site, desk }) => {
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
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("button", { name: "Write an issue" }).click();
  await page.waitForURL(/drafts\/\d+$/);
  const draft = page.url();
  const status = page.getByRole("status");
  await page.getByRole("link", { name: "Publish at an hour" }).click();
  const hour = page.getByLabel("Publish at, in Toronto’s time");
  await hour.fill(`${day}T07:00`);
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(page.getByRole("alert")).toContainText("There is no text yet");

  await page.goto(draft);
  await page.getByLabel("Title").fill("Planned together");
  const text = page.getByRole("textbox", { name: "Text" });
  await text.fill("As it was planned.");
  await expect(status).toHaveText(/^Saved,/);
  await page.getByRole("link", { name: "Publish at an hour" }).click();
  // The year is mistyped.
  await hour.fill(`${day.add({ years: 10 })}T07:00`);
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(page.getByRole("alert")).toContainText("more than a year ahead");
  await hour.fill(`${day}T07:00`);
  await page.getByLabel("By mail too").selectOption("yes");
  await page.getByRole("button", { name: "Plan it" }).click();
  await expect(status).toContainText("It will be published on");
  expect(questions.at(-1)).toMatch(
    new RegExp(`on ${day} at 07:00, Toronto’s time, and send it to \\d+ confirmed subscriber`),
  );
  expect(await accessibilityFaults(page, ["main"])).toEqual([]);
  const siteShows = async () =>
    (await (await fetch(`${site.url}/newsletter`)).text()).includes("Planned together");
  expect(await siteShows()).toBe(false);

  // It is in the list, can be moved, and its text still changed.
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("link", { name: /Planned together to be published and sent on/ }).click();
  await text.fill("As it is at its hour.");
  await expect(status).toHaveText(/^Saved,/);
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
  await expect(page.getByRole("link", { name: /1 mail taken|\d+ mails taken/ })).toHaveCount(1);
});

test("makes a plan of a publication whose date lies ahead, which can be called off", async ({
  page,
  site,
  desk,
}) => {
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${desk.url}/issues`);
  await page.getByRole("button", { name: "Write an issue" }).click();
  await page.waitForURL(/drafts\/\d+$/);
  await page.getByLabel("Title").fill("Ahead of its day");
  await page.getByRole("textbox", { name: "Text" }).fill("Words.");
  await page.getByLabel("Date").fill(String(torontoDay(site.now()).add({ days: 30 })));
  await expect(page.getByRole("status")).toHaveText(/^Saved,/);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Publish at an hour: Ahead of its day",
  );
  await expect(
    page.getByText(/^It will be published on .* 12:00 a\.m\.; nobody is mailed\.$/),
  ).toBeVisible();
  expect(await (await fetch(`${site.url}/newsletter`)).text()).not.toContain("Ahead of its day");
  await page.getByRole("button", { name: "Call it off" }).click();
  await expect(page.getByRole("link", { name: "Publish at an hour" })).toBeVisible();
  expect(await site.command("plans", "list")).toContain("Nothing is planned.");
});

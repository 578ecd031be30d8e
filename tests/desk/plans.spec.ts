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
  const { address: reader } = await confirmForLinks(site);
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

  // What no button of the page asks for does nothing.
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
  const mails = site.mails().filter(({ to }) => to?.some(({ address }) => address === reader));
  const issues = mails.filter(({ subject }) => /planned/i.test(subject ?? ""));
  expect(issues.map(({ subject }) => subject)).toEqual(["As planned"]);
  expect(issues[0]?.text).toContain("The new price.");
});

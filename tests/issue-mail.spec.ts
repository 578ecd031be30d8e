import type { RunOptions } from "axe-core";
import { composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { sideways } from "./every-page/sideways.ts";
import { issueLetters } from "./sends/issue-letters.ts";
import { testSite } from "./site-identity.ts";
import { expect, test } from "./site-test.ts";

const contrast: RunOptions = { runOnly: ["color-contrast"], resultTypes: ["violations"] };

/** Colours are nothing to a width, so each is looked at on a phone, and the letter's own on a desk. */
const looks = [
  [360, "light"],
  [360, "dark"],
  [700, "light"],
] as const;

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600"/>`;

function compose(title: string, html: string) {
  return composeIssueMail({
    issue: { id: 7, number: 3, title, html, publishDate: "2026-11-09" },
    site: testSite,
    tokenPlaceholder: "reader-0b2d",
    now: new Date(),
  });
}

for (const ours of [true, false]) {
  test(`the mail of ${ours ? "our" : "others'"} letters fits the screen, light and dark`, async ({
    page,
    expectConsole,
  }) => {
    if (!ours) expectConsole(/ERR_FAILED/);
    let hasPictures = false;
    await page.route(/^https?:/, (route) =>
      hasPictures ? route.fulfill({ contentType: "image/svg+xml", body: picture }) : route.abort(),
    );
    // Without pictures first: one that has been shown stays in memory.
    for (hasPictures of [false, true]) {
      for (const { title, html } of issueLetters.filter(({ isOurs }) => isOurs === ours)) {
        const mail = compose(title, html);
        // Pictures in the mail itself are left out by programs that show none.
        const shown = hasPictures ? mail.html : mail.html.replace(/src="data:[^"]*"/g, 'src="x"');
        await page.setContent(shown);
        for (const [width, colorScheme] of looks) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const how = `${title}: ${width} px, ${colorScheme}, ${hasPictures ? "with" : "without"} pictures`;
          expect.soft(await page.evaluate(sideways), how).toEqual([]);
          const leave = page.getByRole("link", { name: "Unsubscribe" }).last();
          await expect.soft(leave, how).toBeVisible();
          if (ours && hasPictures && width === 360) {
            expect.soft(await accessibilityFaults(page, [], contrast), how).toEqual([]);
          }
        }
      }
    }
  });
}

test("an issue with colours of its own can be read in dark mode", async ({ page }) => {
  const html = `<h2 style="color:#2b2b2b">Footings</h2><p>Plain <b style="color:rgb(20,20,20)">dark</b></p>
    <div style="background-color:#fffdf5">On a pale box</div><table><tr><td bgcolor="#f4f4f4">On a pale cell</td></tr></table>`;
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setContent(compose("Colours", html).html);
  expect(await accessibilityFaults(page, [], contrast)).toEqual([]);
});

import type { RunOptions } from "axe-core";
import { composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { contactEmail } from "#mail/operator-letters.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { resizePage } from "./every-page/resize-page.ts";
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
  });
}

for (const ours of [true, false]) {
  test(`the mail of ${ours ? "our" : "others'"} letters fits the screen, light and dark`, async ({
    page,
  }) => {
    await page.route(/^https?:/, (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: picture }),
    );
    for (const { title, html } of issueLetters.filter(({ isOurs }) => isOurs === ours)) {
      await page.setContent(compose(title, html).html);
      for (const [width, colorScheme] of looks) {
        await resizePage(page, width);
        await page.emulateMedia({ colorScheme });
        const how = `${title}: ${width} px, ${colorScheme}`;
        expect.soft(await page.evaluate(sideways), how).toEqual([]);
        const leave = page.getByRole("link", { name: "Unsubscribe" }).last();
        await expect.soft(leave, how).toBeVisible();
        if (ours && width === 360) {
          expect.soft(await accessibilityFaults(page, [], contrast), how).toEqual([]);
        }
      }
    }
  });
}

/** Content wider than a phone, as people and programs write it. */
const word = "Bebauungsplanverfahren".repeat(8);
const address = `https://example.com/${"a-long-way-down/".repeat(12)}`;
const wide = `<h2>${word}</h2><p>${word} <a href="${address}">${address}</a></p><pre>${"npm run site -- ".repeat(20)}${word}</pre>
  <p><code>${word}</code></p><ul><li>${address}</li></ul><blockquote>${word}</blockquote><div style="width:600px">A box of 600 pixels.</div>
  <table><tr><td>${address}</td><td>Short</td></tr></table><details><summary>${word}</summary>${address}</details>
  <table><tr><th>Where</th><th>Reading</th><th>Before</th><th>After</th><th>Difference</th></tr>
  <tr><td>${address}</td><td>approximately</td><td>$1,250.00</td><td>$11,250.00</td><td>$10,000.00</td></tr></table>`;

test("no mail is wider than a phone, whatever is in it", async ({ page }) => {
  const issues = [wide, `<html><body>${wide}</body></html>`].map(
    (html) => compose(word, html).html,
  );
  const letter = { deliveryId: "1", createdAt: "2026-11-09T12:00:00Z", site: testSite };
  const message = contactEmail({
    ...letter,
    contactTo: "desk@chalkline.example",
    payload: {
      messageId: 1,
      firstName: word,
      lastName: "",
      email: `${word}@example.com`,
      company: word,
      phone: "",
      subject: "",
      message: `${word} ${address}`,
      receivedAt: letter.createdAt,
    },
  }).html;
  for (const html of [...issues, String(message)]) {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.setContent(html);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.configure({ soft: true }).poll(wide).toBe(width);
      // Only a table of data may be moved sideways, and only inside its own box.
      const out = await page.evaluate((right) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        const range = document.createRange();
        while (texts.nextNode()) {
          const parent = texts.currentNode.parentElement;
          range.selectNodeContents(texts.currentNode);
          const isOut = [...range.getClientRects()].some((box) => box.right > right + 1);
          if (isOut && parent?.checkVisibility() && !parent.closest(".issue-data"))
            found.push(`${parent.tagName}: ${texts.currentNode.textContent?.slice(0, 40)}`);
        }
        return found;
      }, width);
      expect.soft(out, `${width} px`).toEqual([]);
    }
  }
});

test("an issue with colours of its own can be read in dark mode", async ({ page }) => {
  const html = `<h2 style="color:#2b2b2b">Footings</h2><p>Plain <b style="color:rgb(20,20,20)">dark</b></p>
    <div style="background-color:#fffdf5">On a pale box</div><table><tr><td bgcolor="#f4f4f4">On a pale cell</td></tr></table>`;
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setContent(compose("Colours", html).html);
  expect(await accessibilityFaults(page, [], contrast)).toEqual([]);
});

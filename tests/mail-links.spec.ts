import { Webhook } from "standardwebhooks";
import { confirmForLinks, signUpForLinks } from "./mail-links.ts";
import { requestRaw } from "./raw-request.ts";
import { type SiteServer, testWebhookSecret } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

const formType = "application/x-www-form-urlencoded";

async function listedStateOf(site: SiteServer, address: string) {
  const { subscribers } = JSON.parse(await site.command("subscribers", "list", "--json"));
  return subscribers.find(({ email }: { email: string }) => email === address)?.state;
}

type Event = { type: string; data: { email: string } };
const signature = new Webhook(testWebhookSecret);

/** Throws if a call isn't signed. */
function eventsFor(site: SiteServer, address: string): string[] {
  return site.webhooks.received
    .map(({ body, headers }) => signature.verify(body, headers as Record<string, string>) as Event)
    .filter(({ data }) => data.email === address)
    .map(({ type }) => type);
}

test("opening a confirmation link changes nothing; its button does", {
  tag: "@postgres",
}, async ({ page, site }) => {
  const { address, confirm } = await signUpForLinks(site);
  await page.goto(confirm);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm your subscription");
  expect(await listedStateOf(site, address)).toBe("subscribed");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re on the list");
  expect(await listedStateOf(site, address)).toBe("confirmed");
  await expect.poll(() => eventsFor(site, address)).toContain("newsletter.confirmed");
});

test("the unsubscribe link's button takes the address off at once", async ({ page, site }) => {
  const { address, unsubscribe } = await signUpForLinks(site);
  await page.goto(unsubscribe);
  await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You’re off the list");
  expect(await listedStateOf(site, address)).toBe("unsubscribed");
  await expect.poll(() => eventsFor(site, address)).toContain("newsletter.unsubscribed");
});

test("a mail program's one-click post unsubscribes however it is written, without cookies", async ({
  site,
}) => {
  const { address, unsubscribe } = await signUpForLinks(site);
  const asForm = new FormData();
  asForm.set("List-Unsubscribe", "One-Click");
  for (const body of [new URLSearchParams("List-Unsubscribe=One-Click"), asForm]) {
    const answer = await fetch(unsubscribe, { method: "POST", redirect: "manual", body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await listedStateOf(site, address)).toBe("unsubscribed");
  }
  const stored = JSON.parse(await site.command("subscribers", "export", address));
  expect(stored.consent_events.at(-1)).toMatchObject({ event: "left", way: "one_click" });
  for (const [how, body, headers] of [
    ["a line end after the words", "List-Unsubscribe=One-Click\r\n", { "Content-Type": formType }],
    ["small letters and a blank", " list-unsubscribe=one-click", { "Content-Type": formType }],
    ["plain text", "List-Unsubscribe=One-Click\n", { "Content-Type": "text/plain" }],
    ["an extension's page", "List-Unsubscribe=One-Click", { Origin: "moz-extension://6f1c" }],
    ["a page of another site", "List-Unsubscribe=One-Click", { "Sec-Fetch-Site": "cross-site" }],
    ["no content type, from a page of its own", "List-Unsubscribe=One-Click", { Origin: "null" }],
    ["an empty body", "", {}],
  ] as const) {
    const { address, unsubscribe } = await signUpForLinks(site);
    const { origin, pathname, search } = new URL(unsubscribe);
    const post = { path: pathname + search, method: "POST", headers };
    expect((await requestRaw(origin, post, body)).status, how).toBe(200);
    expect(await listedStateOf(site, address), how).toBe("unsubscribed");
  }
});

test("what scanners do with a link in mail changes nothing", async ({ page, site }) => {
  const { address, confirm } = await signUpForLinks(site);
  const subscriber = await confirmForLinks(site);
  for (const link of [confirm, subscriber.unsubscribe]) {
    expect((await fetch(link)).status).toBe(200);
    await fetch(link, { method: "HEAD" });
    await page.goto(link);
    await page.waitForLoadState("networkidle");
    await fetch(link, { method: "POST" });
    for (const body of ["", "token=x", "List-Unsubscribe=no", "by=", "One-Click"]) {
      await fetch(link, { method: "POST", body: new URLSearchParams(body) });
    }
  }
  const oneClick = new URLSearchParams("List-Unsubscribe=One-Click");
  await fetch(confirm, { method: "POST", body: oneClick });
  expect(await listedStateOf(site, address)).toBe("subscribed");
  expect(await listedStateOf(site, subscriber.address)).toBe("confirmed");
});

test("a link whose token nobody was sent says so", async ({ page, site, expectConsole }) => {
  expectConsole(/404/);
  await page.goto("/newsletter/confirm?token=made-up");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("That didn’t work");
  await expect(page).toHaveTitle(/^That didn’t work/);
  await expect(page.getByText("This link is not valid.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm", exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Subscribe again" }).click();
  await expect(page.locator("#subscribe")).toBeVisible();

  // Without a token there is no such page, and search engines are kept out of those that there are.
  const missing = "404: no page at /newsletter/confirm";
  const logged = page.waitForEvent("console", (message) => message.text() === missing);
  await page.goto("/newsletter/confirm");
  await logged;
  const { confirm, unsubscribe } = await signUpForLinks(site);
  for (const name of ["confirm", "unsubscribe"]) {
    expect((await fetch(`${site.url}/newsletter/${name}`)).status).toBe(404);
  }
  for (const link of [confirm, unsubscribe]) {
    expect(await (await fetch(link)).text()).toContain('<meta name="robots" content="noindex"/>');
  }
});

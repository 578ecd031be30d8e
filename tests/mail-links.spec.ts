import type { SiteServer } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

/** Signs an address up over the wire and reads the links in the mail that comes of it. */
async function linksFor(site: SiteServer) {
  const address = `${crypto.randomUUID()}@lopes.example`;
  const signup = await fetch(`${site.url}/functions/v1/newsletter-signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: address }),
  });
  expect(await signup.json()).toMatchObject({ success: true, duplicate: false });
  const mail = await site.mail(({ to }) => to?.[0]?.address === address);
  const link = (page: string) =>
    new RegExp(`http://\\S+/newsletter/${page}\\?token=[\\w-]+`).exec(mail.text ?? "")?.[0] ?? "";
  return { address, confirm: link("confirm"), unsubscribe: link("unsubscribe") };
}

async function stateOf(site: SiteServer, address: string) {
  const { subscribers } = JSON.parse(await site.command("subscribers", "list", "--json"));
  return subscribers.find(({ email }: { email: string }) => email === address)?.state;
}

function eventsFor(site: SiteServer, address: string): string[] {
  return site.webhooks.received
    .map(({ body }) => JSON.parse(body) as { type: string; data: { email: string } })
    .filter(({ data }) => data.email === address)
    .map(({ type }) => type);
}

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? "with scripts" : "without scripts";

  test.describe(scripts, () => {
    test.use({ javaScriptEnabled });

    test("opening a confirmation link changes nothing; its button confirms", async ({
      page,
      site,
    }) => {
      const { address, confirm } = await linksFor(site);
      await page.goto(confirm);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm your subscription");
      expect(await stateOf(site, address)).toBe("subscribed");
      await page.getByRole("button", { name: "Confirm", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are on the list");
      expect(await stateOf(site, address)).toBe("confirmed");
      await expect.poll(() => eventsFor(site, address)).toContain("newsletter.confirmed");
    });

    test("the unsubscribe link's button takes the address off at once", async ({ page, site }) => {
      const { address, unsubscribe } = await linksFor(site);
      await page.goto(unsubscribe);
      await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are off the list");
      expect(await stateOf(site, address)).toBe("unsubscribed");
      await expect.poll(() => eventsFor(site, address)).toContain("newsletter.unsubscribed");
    });
  });
}

test("a mail program's one-click post unsubscribes without cookies or a redirect, however often", async ({
  site,
}) => {
  const { address, unsubscribe } = await linksFor(site);
  const asForm = new FormData();
  asForm.set("List-Unsubscribe", "One-Click");
  for (const body of [new URLSearchParams("List-Unsubscribe=One-Click"), asForm]) {
    const answer = await fetch(unsubscribe, { method: "POST", redirect: "manual", body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await stateOf(site, address)).toBe("unsubscribed");
  }
  const held = JSON.parse(await site.command("subscribers", "export", address));
  expect(held.consent_events.at(-1)).toMatchObject({ event: "left", way: "one_click" });
});

test("what scanners do with a link in mail neither confirms nor unsubscribes", async ({
  page,
  site,
}) => {
  const { address, confirm, unsubscribe } = await linksFor(site);
  for (const link of [confirm, unsubscribe]) {
    await fetch(link);
    await fetch(link, { method: "HEAD" });
    await page.goto(link);
    await page.waitForLoadState("networkidle");
  }
  await fetch(unsubscribe, { method: "POST" });
  for (const body of ["", "token=x", "List-Unsubscribe=no", "by="]) {
    await fetch(unsubscribe, { method: "POST", body: new URLSearchParams(body) });
  }
  expect(await stateOf(site, address)).toBe("subscribed");
});

test("a link whose token nobody was sent says so and changes nothing", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/404/);
  await page.goto("/newsletter/confirm?token=made-up");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("That didn’t work");
  await expect(page.getByText("This link is not valid.")).toBeVisible();
});

test("without a token there is no such page, and search engines are kept out", async ({ site }) => {
  const { confirm } = await linksFor(site);
  for (const page of ["confirm", "unsubscribe"]) {
    expect((await fetch(`${site.url}/newsletter/${page}`)).status).toBe(404);
  }
  expect(await (await fetch(confirm)).text()).toContain('<meta name="robots" content="noindex"/>');
});

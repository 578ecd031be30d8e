import { freePort } from "./free-port.ts";
import { changeBody } from "./issue-table.ts";
import { linkIn } from "./mail-links.ts";
import { newAddress } from "./new-address.ts";
import { type SiteServer, startSiteServer } from "./site-server.ts";
import { test as base, expect } from "./site-test.ts";

/** One copy of the site in front of another: a front without data, and a backend that knows the front's address. */
type Pair = { front: SiteServer; backend: SiteServer };

const loopback = "127.0.0.1,::1";

async function startPair(): Promise<Pair> {
  const frontPort = String(await freePort());
  const frontUrl = `http://localhost:${frontPort}`;
  const backend = await startSiteServer({ SITE_URL: frontUrl, TRUSTED_PROXIES: loopback });
  const front = await startSiteServer({
    PORT: frontPort,
    SITE_URL: frontUrl,
    TRUSTED_PROXIES: loopback,
    BACKEND_URL: backend.url,
    BACKEND_ANON_KEY: "sb_publishable_for_tests",
  });
  return { front, backend };
}

const test = base.extend<object, { pair: Pair }>({
  pair: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const pair = await startPair();
      await use(pair);
      await pair.front.close();
      await pair.backend.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // The page fixture opens the front.
  site: ({ pair }, use) => use(pair.front),
});

async function exportOf(backend: SiteServer, address: string) {
  const { subscriptions, consent_events } = JSON.parse(
    await backend.command("subscribers", "export", address),
  );
  return { subscription: subscriptions[0], consent: consent_events[0] };
}

test("a sign-up without scripts keeps its page and its visitor's address, and the links in its mail work on the front", async ({
  pair: { front, backend },
}) => {
  const address = newAddress();
  // As a browser without scripts does, behind the front's own proxy.
  const posted = await fetch(`${front.url}/newsletter?issue=2`, {
    method: "POST",
    headers: {
      Origin: front.url,
      Referer: `${front.url}/newsletter?issue=2`,
      "X-Forwarded-For": "203.0.113.77",
    },
    body: new URLSearchParams({ email: address }),
  });
  expect(await posted.text()).toContain("Successfully Subscribed!");
  const { consent } = await exportOf(backend, address);
  expect(consent).toMatchObject({ page: "/newsletter", network_address: "203.0.113.77" });

  const mail = await backend.mailTo(address);
  const link = (name: string) => linkIn(mail.text, name);
  expect(new URL(link("confirm")).origin).toBe(front.url);
  expect((await fetch(link("confirm"))).status).toBe(200);
  const press = { method: "POST", headers: { Origin: front.url } };
  const confirmed = await fetch(link("confirm"), {
    ...press,
    body: new URLSearchParams({ by: "button" }),
  });
  expect(confirmed.status).toBe(200);
  const before = (await exportOf(backend, address)).subscription;
  expect(before).toMatchObject({ confirmed_at: expect.any(String), unsubscribed_at: null });
  const left = await fetch(link("unsubscribe"), {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  expect(left.status).toBe(200);
  const after = (await exportOf(backend, address)).subscription;
  expect(after).toMatchObject({ unsubscribed_at: expect.any(String) });
  expect((await fetch(`${front.url}/newsletter/confirm`)).status).toBe(404);
});

const issuePages = ["/newsletter", "/newsletter/1", "/newsletter/2", "/newsletter/3"];

async function readAll({ url }: SiteServer, pages: string[] = issuePages) {
  const answers = await Promise.all(pages.map((page) => fetch(url + page)));
  for (const { status } of answers) expect(status).toBe(200);
  return await Promise.all(answers.map((answer) => answer.text()));
}

test("what changes at the backend is shown at the front", async ({ pair: { front, backend } }) => {
  const marker = `Changed ${crypto.randomUUID()}`;
  await readAll(front);
  await changeBody(backend, 2, `<p>${marker}</p>`);
  await expect.poll(async () => (await readAll(front, ["/newsletter/2"]))[0]).toContain(marker);
  const { id } = await backend.publish({ title: "Fresh on the front", html: "<p>Ink.</p>" });
  await expect
    .poll(async () => (await readAll(front, ["/newsletter"]))[0])
    .toContain("Fresh on the front");
  const [feed, found] = await readAll(front, ["/feed.xml", "/search?q=fresh"]);
  expect(feed).toContain(`/newsletter/${id}`);
  expect(found).toContain(`/newsletter/${id}`);
});

test("while the backend is away the front isn't ready, and gives the pages that it has", async ({
  pair: { front, backend },
}) => {
  const isReady = async () => (await fetch(`${front.url}/readyz`)).status;
  await readAll(front);
  expect(await isReady()).toBe(200);
  await backend.stop();
  await expect.poll(isReady).toBe(503);
  expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  await front.passTime(2_000);
  await readAll(front);
  await backend.start();
  await expect.poll(isReady).toBe(200);
});

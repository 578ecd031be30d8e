import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { test as base, expect } from "@playwright/test";
import { submissionLimits } from "#api/limits.ts";
import { newAddress } from "./new-address.ts";
import { type SiteServer, type SiteServerSettings, startSiteServer } from "./site-server.ts";

const messagesAnHour = submissionLimits.message.perAddress?.count ?? 0;

const message = { firstName: "Dana", lastName: "Reyes", message: "Hello" };

const newMessage = () => ({ ...message, email: newAddress() });

function callFunction(site: SiteServer, forwardedFor: string) {
  return fetch(`${site.url}/functions/v1/send-contact-email`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": forwardedFor },
    body: JSON.stringify(newMessage()),
  });
}

/** A server of its own for each test, since what is counted stays counted. */
const test = base.extend<{ start: (settings: SiteServerSettings) => Promise<SiteServer> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  start: async ({}, use) => {
    const servers: SiteServer[] = [];
    await use(async (settings) => {
      const server = await startSiteServer(settings);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.close();
  },
});

/** As a browser without scripts does. */
function postForm(site: SiteServer, forwardedFor: string) {
  return fetch(`${site.url}/contact`, {
    method: "POST",
    headers: { Origin: site.url, "X-Forwarded-For": forwardedFor },
    body: new URLSearchParams(newMessage()),
  });
}

test("behind a trusted proxy a visitor is limited by the address that the proxy saw, whatever else the header says", async ({
  start,
}) => {
  const site = await start({ TRUSTED_PROXIES: "127.0.0.1,::1" });
  for (let n = 0; n < messagesAnHour; n += 1) {
    const answer = await callFunction(site, `192.0.2.${n}, 198.51.100.7`);
    expect(answer.status).toBe(200);
  }
  expect((await callFunction(site, "198.51.100.7")).status).toBe(429);
  expect((await callFunction(site, "203.0.113.1, 198.51.100.7, 127.0.0.1")).status).toBe(429);
  expect((await callFunction(site, "198.51.100.7, 198.51.100.8")).status).toBe(200);

  const refused = await postForm(site, "203.0.113.1, 198.51.100.7");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(refused.headers.get("Cache-Control")).toBe("no-store");
  expect(await refused.text()).toContain("Failed to Send Message");
  expect((await postForm(site, "198.51.100.8")).status).toBe(200);
});

test("a form without scripts is taken under another name of the site, by https that ends at a proxy", async ({
  start,
}) => {
  const site = await start({ TRUSTED_PROXIES: "127.0.0.1" });
  const form = new URLSearchParams(newMessage()).toString();
  const asking = request(`${site.url}/contact`, {
    method: "POST",
    headers: {
      Host: "www.chalkline.example",
      Origin: "https://www.chalkline.example",
      "Content-Type": "application/x-www-form-urlencoded",
    },
  });
  asking.end(form);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  expect(await text(answer)).toContain("Message Sent Successfully!");
});

test("without a trusted proxy nobody gets past a limit by sending the header", async ({
  start,
}) => {
  const site = await start({});
  const answers: number[] = [];
  for (let n = 0; n <= messagesAnHour; n += 1) {
    answers.push((await callFunction(site, `198.51.100.${n}`)).status);
  }
  expect(answers.at(-1)).toBe(429);
  expect(answers.filter((status) => status === 200)).toHaveLength(messagesAnHour);
  expect((await postForm(site, "198.51.100.200")).status).toBe(429);
});

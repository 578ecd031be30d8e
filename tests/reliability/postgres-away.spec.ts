import { expect, test } from "@playwright/test";
import { contactMessage } from "../contact-message.ts";
import { startPostgresCluster } from "../databases/postgres-cluster.ts";
import { startSiteServer } from "../site-server.ts";

/** Everything that shows issues, or may. No browser is needed for it; the built pages are. */
const pages = [
  "/newsletter",
  "/newsletter/1",
  "/newsletter?issue=2",
  "/newsletter/all",
  "/feed.xml",
  "/atom.xml",
  "/newsletter/feed.json",
  "/sitemap.xml",
  "/search",
  "/contact",
];

const answerMaxMs = 8_000;
const message = {
  ...contactMessage,
  firstName: "Dana",
  lastName: "Okafor",
  email: "dana@okafor.example",
  subject: "partnership-opportunities",
  message: "Our quotes are late.",
};

test("while PostgreSQL is away its last good pages stay, and both forms say that they failed", async () => {
  const cluster = await startPostgresCluster();
  const site = await startSiteServer({ DATABASE_URL: cluster.url });
  const get = async (path: string) => {
    const signal = AbortSignal.timeout(answerMaxMs);
    const response = await fetch(site.url + path, { signal, redirect: "manual" });
    return {
      path,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
  };
  const post = async (path: string, type: string, body: string) => {
    const headers = { "content-type": type };
    const signal = AbortSignal.timeout(answerMaxMs);
    const answer = await fetch(site.url + path, { method: "POST", headers, body, signal });
    return { path, status: answer.status, text: await answer.text() };
  };
  try {
    for (const title of ["Quotes on Friday", "The phone at six"]) {
      await site.publish({ title, html: "<p>What took two evenings takes eleven minutes.</p>" });
    }
    const before = await Promise.all(pages.map(get));
    expect(before.map(({ path, status }) => [path, status])).toEqual(
      pages.map((path) => [path, 200]),
    );
    await cluster.stop();
    // Until the times of all of them have passed, and each could have been made anew.
    for (const path of pages.filter((page) => !["/search", "/contact"].includes(page))) {
      await expect
        .poll(async () => (await get(path)).headers.get("cache-control"))
        .toContain("must-revalidate");
    }
    for (const { path, text } of before) {
      const during = await get(path);
      expect([path, during.status]).toEqual([path, 200]);
      expect(during.text === text, `${path} is what it was`).toBe(true);
    }
    expect((await get("/search?q=quote")).status).toBe(200);

    const functions = "/functions/v1";
    const json = "application/json";
    const form = "application/x-www-form-urlencoded";
    const posted = new URLSearchParams(message).toString();
    const answers = [
      await post(`${functions}/send-contact-email`, json, JSON.stringify(message)),
      await post(`${functions}/newsletter-signup`, json, JSON.stringify({ email: message.email })),
      await post("/contact", form, posted),
      await post("/newsletter", form, posted),
    ];
    expect(answers.map(({ path, status }) => [path, status])).toEqual(
      answers.map(({ path }) => [path, 503]),
    );
    // The form ends before the data that the page's script reads, which holds the words too.
    const kept = /<form[^>]*id="contact-form".*?<\/form>/s.exec(answers[2]?.text ?? "")?.[0];
    const { subject, ...texts } = message;
    for (const text of Object.values(texts)) expect(kept).toContain(text);
    expect(kept).toMatch(
      new RegExp(`<option[^>]*(value="${subject}"[^>]* selected|selected[^>]* value="${subject}")`),
    );
  } finally {
    await site.close();
    await cluster.stop().catch(() => {});
  }
});

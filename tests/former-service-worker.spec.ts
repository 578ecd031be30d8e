import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./site-test.ts";

const worker = `
  self.addEventListener("install", (event) => event.waitUntil(
    caches.open("former").then((cache) => cache.put("/", new Response("<!doctype html><title>Former</title>The former site", { headers: { "Content-Type": "text/html" } }))),
  ));
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("fetch", (event) => {
    if (event.request.mode === "navigate") event.respondWith(caches.match("/"));
  });`;

const name = "/service-worker.js";

test("a former site's service worker is ended, with its caches", async ({ page, site }) => {
  let isFormer = true;
  const domain = createServer((request, response) => {
    if (!isFormer) {
      const { method, headers, url } = request;
      const asked = forward(new URL(url ?? "", site.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(asked);
    } else if (request.url === name) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(worker);
    } else
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<!doctype html><title>x</title>");
  });
  domain.listen(0, "127.0.0.1");
  await once(domain, "listening");
  const home = `http://127.0.0.1:${(domain.address() as AddressInfo).port}/`;
  await page.goto(home);
  await page.evaluate(async (address) => {
    await navigator.serviceWorker.register(address);
    await navigator.serviceWorker.ready;
  }, name);
  await page.goto(home);
  await expect(page.getByText("The former site")).toBeVisible();

  isFormer = false;
  // The worker answers once more, while the browser looks for its new version.
  await page.goto(home);
  await expect(page.locator("h1")).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ]),
    )
    .toEqual([0, 0]);
  domain.closeAllConnections();
  domain.close();
});

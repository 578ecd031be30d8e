// A former site on this domain may have left a service worker, which goes on showing that site from its caches. The
// browser looks for a new version of it here, and gets one that ends it.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const client of await self.clients.matchAll()) await client.navigate(client.url);
}

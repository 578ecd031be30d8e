import pino from "pino";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testSite } from "#tests/site-identity.ts";
import { createApi } from "./api.ts";

describeOnEachDatabase("the backend", (database) => {
  const ask = (path: string, init?: RequestInit) =>
    createApi({
      db: database.db,
      log: pino({ level: "silent" }),
      wakeOutbox: () => {},
      newsletterWebhookUrl: null,
      site: testSite,
    }).fetch(new Request(`http://site.example${path}`, init), { clientAddress: "192.0.2.1" });

  const nowhere = [
    "/rest/v1",
    "/rest/v1/",
    "/rest/v1/subscribers",
    "/rest/v1/rpc/anything",
    "/rest/v2/final_newsletters",
    "/functions/v1",
    "/functions/v1/anything",
    "/auth/v1/token",
    "/storage/v1/object/list",
    "/graphql/v1",
    "/",
  ];

  test("answers paths that don't exist with 404 and an object that has a message", async () => {
    for (const path of nowhere) {
      for (const method of ["GET", "POST"]) {
        const response = await ask(path, { method });
        expect(response.status, path).toBe(404);
        expect(response.headers.get("Content-Type")).toContain("application/json");
        expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect(await response.json()).toMatchObject({ message: expect.stringMatching(/./) });
      }
    }
  });
});

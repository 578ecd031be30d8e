import { expect, test } from "vitest";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { fetchUnlessUnchanged } from "./etag-cache.server.ts";

const address = "https://project.example/rest/v1/final_newsletters?select=id";

function countingProject(fails: (asked: number) => boolean) {
  const project = {
    asked: 0,
    send: async () => {
      project.asked += 1;
      if (fails(project.asked)) throw new TypeError("fetch failed");
      return new Response("[]");
    },
  };
  return project;
}

test("what a closing connection left without an answer is asked once more, and no more often", async () => {
  const once = countingProject((asked) => asked === 1);
  const settings = {} as SiteSettings;
  const answer = await fetchUnlessUnchanged(settings, new Request(address), once.send);
  expect(await answer.text()).toBe("[]");
  expect(once.asked).toBe(2);
  const always = countingProject(() => true);
  const failing = fetchUnlessUnchanged(settings, new Request(address), always.send);
  await expect(failing).rejects.toThrow("fetch failed");
  expect(always.asked).toBe(2);
});

test("nothing is asked again once the visitor's time is up", async () => {
  const leaving = new AbortController();
  const project = countingProject(() => {
    leaving.abort();
    return true;
  });
  const request = new Request(address, { signal: leaving.signal });
  await expect(fetchUnlessUnchanged({} as SiteSettings, request, project.send)).rejects.toThrow();
  expect(project.asked).toBe(1);
});

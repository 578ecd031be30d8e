import { expect, test } from "../site-test.ts";
import {
  type Batch,
  findAlone,
  inBatches,
  publishBatches,
  readVectors,
  tryBatches,
} from "./cross-site-scripting/try-vectors.ts";

// A setting of its own means a server of its own: these tests replace its issues.
const siteSettings = { SITE_NAME: "Chalkline Attacked Desk" };
test.use({ siteSettings });

// Many to an issue, and of those that need one of their own every twelfth, to be quick.
const atOnce = 60;
let batches: Batch[] = [];

// Here and not for the file, which every process of the run loads to know its tests.
test.beforeAll(async ({ siteWith }) => {
  const vectors = readVectors();
  const alone = findAlone(vectors);
  const tried = vectors.filter((vector, index) => !alone.has(vector) || index % 12 === 0);
  batches = inBatches(tried, atOnce, alone);
  await publishBatches(await siteWith(siteSettings), batches);
});

test("no published cross-site scripting gets out of the sheet", async ({ site, browser }) => {
  const way = "by address";
  expect(await tryBatches({ site, browser, batches, way, withoutPolicy: false })).toEqual([]);
});

test("the sanitiser holds it alone, where no policy helps", async ({ site, browser }) => {
  const many = batches.filter(({ vectors }) => vectors.length > 1);
  const way = "by script";
  expect(await tryBatches({ site, browser, batches: many, way, withoutPolicy: true })).toEqual([]);
});

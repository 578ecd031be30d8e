import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { picturePath, readPicture } from "#db/pictures.ts";
import { drawPicture } from "#tests/draw-picture.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();
const mailing = mailerForEachTest();
let env: { DATA_DIR: string; SITE_URL: string };

beforeEach(async () => {
  env = { DATA_DIR: path.join(folder.path, "data"), SITE_URL: "https://www.plumbline.ca" };
  await mkdir(path.join(folder.path, "piers/img"), { recursive: true });
});

async function storedAs(bytes: Buffer) {
  const read = await readPicture(bytes);
  if (!read.ok) throw new Error(read.problem);
  return { path: picturePath(read.picture), base64: read.picture.bytes.toString("base64") };
}

const [png, gif] = [await drawPicture("png"), await drawPicture("gif")];
const [{ path: pier, base64: pierBytes }, { path: beam, base64: beamBytes }] = [
  await storedAs(png),
  await storedAs(gif),
];

const words = `---
title: Piers
date: 2026-03-02
preheader: Below the frost
---

![A pier](img/pier%20one.png) [![A beam](./beam.gif?x=1)](img/pier%20one.png)

![Gone](gone.png) ![Elsewhere](https://x.example/a.png) ![Above](../above.png) <script>x()</script>
`;

async function writeIssue(text = words): Promise<string> {
  await writeFile(path.join(folder.path, "piers/img/pier one.png"), png);
  await writeFile(path.join(folder.path, "piers/beam.gif"), gif);
  await writeFile(path.join(folder.path, "above.png"), png);
  const file = path.join(folder.path, "piers/june.md");
  await writeFile(file, text);
  return file;
}

const site = (...commandLine: string[]) => runCommand(commandLine, { env });

async function stored() {
  const { db, close } = await openDatabase({ dataDir: env.DATA_DIR, databaseUrl: null });
  const issues = await db.selectFrom("final_newsletters").selectAll().orderBy("id").execute();
  const pictures = await db
    .selectFrom("pictures")
    .innerJoin("issue_pictures", "issue_pictures.hash", "pictures.hash")
    .select(["issue_id", "media_type", "base64"])
    .orderBy("media_type")
    .execute();
  await close();
  return { issues, pictures };
}

it("stores the pictures beside a published file, and leads to them", async () => {
  const file = await writeIssue();
  const published = await site("issues", "publish", file, "--json");
  const { removed, ...said } = JSON.parse(published.stdout);
  expect(said).toMatchObject({ id: 4, title: "Piers", pictures: [pier, beam] });
  expect(removed.map(({ what }: { what: string }) => what)).toEqual([
    "image with an incomplete address: gone.png",
    "image with an incomplete address: ../above.png",
    "script element",
  ]);
  const { issues, pictures } = await stored();
  expect(issues.at(-1)?.content_markdown).toContain(
    `<img src="${pier}" alt="A pier"> <a href="${pier}"><img src="${beam}" alt="A beam"></a>`,
  );
  expect(pictures).toEqual([
    { issue_id: 4, media_type: "image/gif", base64: beamBytes },
    { issue_id: 4, media_type: "image/png", base64: pierBytes },
  ]);
});

it("updates a published issue in its place, and keeps what the file doesn't say", async () => {
  const file = await writeIssue();
  await site("issues", "publish", file);
  await site("issues", "publish", await writeIssue("# Later\n\nWords"));
  await site("issues", "remove", "1", "--yes");
  const words = "<p>Deeper <b>piers</b>, by <img src='beam.gif' alt='A beam'></p>";
  const corrected = path.join(folder.path, "piers/corrected.html");
  await writeFile(corrected, words);

  const unasked = await site("issues", "update", "4", corrected);
  expect(unasked).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unasked.stderr).toContain('Replace issue 4, "Piers", which is #3 on the site?');
  const updated = await site("issues", "update", "4", corrected, "--yes", "--json");
  expect(JSON.parse(updated.stdout)).toMatchObject({
    id: 4,
    number: 3,
    address: "https://www.plumbline.ca/newsletter/4",
    title: "Piers",
    publishDate: "2026-03-02",
    pictures: [beam],
  });
  const { issues } = await stored();
  expect(issues.find(({ id }) => id === 4)).toMatchObject({
    title: "Piers",
    publish_date: "2026-03-02",
    content_markdown: words.replace("src='beam.gif'", `src="${beam}"`),
  });
  expect(issues.map(({ id }) => id)).toEqual([2, 3, 4, 5]);

  const renamed = ["--title", "Deeper piers", "--date", "2026-03-03", "--yes"];
  expect((await site("issues", "update", "4", corrected, ...renamed)).stdout).toMatch(
    /^Changed issue 4\.\n\nAddress +https:.*\nTitle +Deeper piers.*\nDate +2026-03-03/,
  );
  // The preview line of the first file, which the second doesn't say.
  Object.assign(env, { SMTP_URL: mailing.server.url });
  const sent = await site("issues", "send", "4", "--test", "me@example.com", "--json");
  expect(sent.exitCode).toBe(0);
  const [mail] = mailing.server.received;
  expect(mail?.email.subject).toBe("[Test] Deeper piers");
  expect(mail?.email.html).toContain("Below the frost");
  expect((await site("issues", "update", "99", corrected, "--yes")).exitCode).toBe(1);
});

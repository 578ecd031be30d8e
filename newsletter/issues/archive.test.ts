import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { picturePath, storePicture } from "#db/pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createArchive } from "./archive.ts";

describeOnEachDatabase("archive", (database) => {
  test("an issue's card is its first stored picture that networks show", async () => {
    const { db } = database;
    const paths: string[] = [];
    for (const [width, height, bytes] of [
      [48, 48, 2_000],
      [1200, 800, 600_001],
      [600, 315, 600_000],
      [1200, 630, 1_000],
    ] as const) {
      const picture = { type: "image/jpeg", bytes: randomBytes(bytes), width, height } as const;
      await storePicture(db, picture, new Date());
      paths.push(picturePath(picture));
    }
    const shown = (...some: (string | undefined)[]) => some.map((path) => `<img src="${path}">`);
    const publish = (id: number, ...html: string[]) =>
      sql`insert into final_newsletters (id, title, content_markdown, publish_date)
        values (${id}, 'One', ${html.join("")}, '2026-11-20')`.execute(db);
    await publish(1, "<img src='https://x.example/a.png'>", ...shown(...paths));
    await publish(2, ...shown(...paths.slice(0, 2)));
    const archive = createArchive(db);
    const card = { path: paths[2], type: "image/jpeg", width: 600, height: 315 };
    expect((await archive.issue(1))?.card).toEqual(card);
    expect((await archive.issue(2))?.card).toBeNull();
  });
});

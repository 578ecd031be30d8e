import { sql } from "kysely";
import { expect, test } from "vitest";
import { listInbox } from "#contact/inbox.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { picturePath, storePicture } from "#newsletter/pictures.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { newFolder } from "#tests/test-folder.ts";
import { startTestServer } from "#tests/test-server.ts";
import { until } from "#tests/until.ts";
import { sendMessage } from "#tests/visitors.ts";

describeOnEachDatabase("a server beside one of the former release", (database) => {
  test("finds what was stored without text to search by", async () => {
    const { db } = database;
    const at = "2026-11-21T15:00:00.000Z";
    for (let nth = 1; nth <= 101; nth += 1) {
      const email = `Reader${nth}@example.com`;
      await sql`insert into subscribers (mailbox_key, email, token, subscribed_at, confirmed_at, first_name)
        values (${email.toLowerCase()}, ${email}, ${email}, ${at}, ${at}, 'Étienne')`.execute(db);
    }
    await sendMessage(db, { email: "noor@example.com" });
    await sendMessage(db, { email: "dana@example.com" });
    const messages = await listInbox(db, { limit: 9 });
    await sql`update contact_messages set search_text = ''`.execute(db);
    await sql`insert into message_notes (message_id, text, written_by, written_at)
      values (${messages[0]?.id}, 'Écrire à Québec', 'Nora', ${at})`.execute(db);
    expect(await listSubscribers(db, { find: "etienne" })).toHaveLength(0);

    const server = await startTestServer(commandSettings(database, newFolder()));
    await until(async () => (await listInbox(db, { find: "quebec", limit: 9 })).length === 1);
    // Before the database is removed.
    await server.stop();
    expect(await listInbox(db, { find: "noor@", limit: 9 })).toHaveLength(1);
    expect(await listSubscribers(db, { find: "etienne", limit: 200 })).toHaveLength(101);
    expect(await listSubscribers(db, { find: "reader77@" })).toHaveLength(1);
  });

  test("takes the place out of pictures that were stored with it, at the address that mails show", async () => {
    const { db } = database;
    const place = "Exif\0\0 43.6532 N, 79.3832 W";
    const photo = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, place.length + 2]),
      Buffer.from(place),
      Buffer.from([0xff, 0xd9]),
    ]);
    const picture = { bytes: photo, type: "image/jpeg" } as const;
    await storePicture(db, picture, new Date("2026-11-01"));
    const server = await startTestServer(commandSettings(database, newFolder()));
    const shown = async () =>
      Buffer.from(await (await server.ask(picturePath(picture))).arrayBuffer());
    const clean = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
    await until(async () => (await shown()).equals(clean));
    await server.stop();
  });
});

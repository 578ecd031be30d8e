import { expect, test } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { checkReplica } from "./check-replica.ts";

function ofAReplica(database: TestDatabase) {
  test("says whether it answers, and nothing of the password", async () => {
    const databaseReadUrl = database.settings.databaseUrl;
    const [found] = await checkReplica({ databaseReadUrl });
    expect(found).toMatchObject({ state: "ok", message: expect.not.stringContaining("secret") });
    const away = "postgres://site:secret@127.0.0.1:1/site";
    expect(await checkReplica({ databaseReadUrl: away })).toMatchObject([{ state: "attention" }]);
    expect(await checkReplica({ databaseReadUrl: null })).toEqual([]);
  });
}

describeOnEachDatabase("doctor on a replica", ofAReplica, { kinds: ["postgres"] });

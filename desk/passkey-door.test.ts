import { Hono } from "hono";
import { beforeEach, expect, test } from "vitest";
import {
  endLink,
  endSession,
  inviteToDesk,
  listDeskPeople,
  makeLink,
  removeDeskPerson,
  removePasskey,
} from "#settings/desk-people.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createPasskey } from "#tests/software-passkey.ts";
import { createGate, type DoorEnv } from "./door.ts";
import { createPasskeyDoor } from "./passkey-door.ts";

const address = "https://desk.example.com";
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describeOnEachDatabase("the desk's door by passkey", (database) => {
  let now = new Date("2026-11-28T12:00:00.000Z");
  let app = new Hono<DoorEnv>();
  let network = "";

  beforeEach(() => {
    now = new Date("2026-11-28T12:00:00.000Z");
    network = "192.0.2.1";
    const door = createPasskeyDoor({
      db: database.db,
      address,
      siteName: "Chalkline",
      now: () => now,
      addressOf: () => network,
    });
    app = new Hono<DoorEnv>()
      .use(createGate({ hosts: ["127.0.0.1:4477", "desk.example.com"], origins: [address] }))
      .use(door)
      .all("*", (context) => context.json(context.get("visitor")));
  });

  const invite = async (name = "Ann") => {
    const invited = await inviteToDesk(database.db, { name, now });
    if (!invited.ok) throw new Error(invited.problem);
    return invited;
  };
  async function ask(path: string, { body, ...options }: RequestInit = {}) {
    const headers = { Host: "desk.example.com", ...(body ? { Origin: address } : {}) };
    return await app.request(`http://desk.example.com${path}`, {
      method: body ? "POST" : "GET",
      body,
      ...options,
      headers: { ...headers, ...options.headers },
    });
  }
  const post = (path: string, body: object) => ask(path, { body: JSON.stringify(body) });
  const optionsFor = async (link = "") =>
    (await (await post("/enter/ask", { link })).json()).options;
  const cookieOf = (answer: Response) => answer.headers.get("Set-Cookie")?.split(";", 1)[0] ?? "";
  const visitor = async (Cookie: string) =>
    (await ask("/", { headers: { Cookie, "Sec-Fetch-Dest": "document" } })).status;

  async function join(name = "Ann") {
    const { token, person } = await invite(name);
    const passkey = createPasskey({ origin: address });
    const response = passkey.register(await optionsFor(token));
    const answer = await post("/enter/answer", { link: token, device: "Phone", response });
    expect(answer.status).toBe(200);
    return { passkey, person, token, response, cookie: cookieOf(answer) };
  }
  const signIn = async (passkey: ReturnType<typeof createPasskey>, how = {}) =>
    await post("/enter/answer", { response: passkey.signIn(await optionsFor(), how) });

  test("lets in who was invited, by a cookie for https and this host alone", async () => {
    expect((await ask("/messages")).status).toBe(401);
    const sentHome = await ask("/messages?page=2", { headers: { "Sec-Fetch-Dest": "document" } });
    expect(sentHome.headers.get("Location")).toBe("/enter?to=%2Fmessages%3Fpage%3D2");
    expect(await (await ask("/enter")).json()).toBeNull();
    expect((await ask("/enter", { body: "intent=erase" })).status).toBe(401);

    const { passkey, cookie, person } = await join();
    const again = await signIn(passkey);
    expect(again.headers.get("Set-Cookie")).toMatch(
      /^__Host-desk=\S{40,}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    for (const Cookie of [cookie, cookieOf(again)]) {
      const seen = await ask("/messages", { headers: { Cookie } });
      expect(await seen.json()).toMatchObject({ ...person, isFirst: true });
    }
    const { cookie: second } = await join("Ben");
    const other = await ask("/messages", { headers: { Cookie: second } });
    expect(await other.json()).toMatchObject({ name: "Ben", isFirst: false });
    // A proxy may ask by the desk's own address.
    const headers = { Host: "127.0.0.1:4477", Cookie: cookie };
    expect((await ask("/", { headers })).status).toBe(200);
    expect((await ask("/", { headers: { ...headers, Host: "evil.example" } })).status).toBe(421);
    for (const Origin of ["http://desk.example.com", "https://evil.example", "null"]) {
      const from = { Cookie: cookie, Origin };
      expect((await ask("/", { method: "POST", headers: from })).status, Origin).toBe(403);
    }
  });

  test("a link makes one passkey, for one person, within a day, and ends with the next", async () => {
    const { token, response, person } = await join();
    const other = createPasskey({ origin: address });
    expect((await post("/enter/ask", { link: token })).status).toBe(403);
    expect((await post("/enter/answer", { link: token, response })).status).toBe(403);

    const [one, two] = [await invite("Ben"), await invite("Cy")];
    const forOne = other.register(await optionsFor(one.token));
    expect((await post("/enter/answer", { link: two.token, response: forOne })).status).toBe(403);
    // A lost link, a newer one, and that one ended.
    const lost = await makeLink(database.db, { personId: person.id, now });
    const newer = await makeLink(database.db, { personId: person.id, now });
    expect((await post("/enter/ask", { link: lost.token })).status).toBe(403);
    expect((await post("/enter/ask", { link: newer.token })).status).toBe(200);
    const open = async () => (await listDeskPeople(database.db, { only: person.id, now }))[0];
    expect((await open())?.linkEndsAt).toBe(newer.endsAt);
    await endLink(database.db, person.id);
    expect((await post("/enter/ask", { link: newer.token })).status).toBe(403);
    expect((await open())?.linkEndsAt).toBe(null);

    const late = await optionsFor(two.token);
    now = new Date(now.getTime() + dayMs);
    expect((await post("/enter/ask", { link: one.token })).status).toBe(403);
    const answered = other.register(late);
    expect((await post("/enter/answer", { link: two.token, response: answered })).status).toBe(403);
    expect(await database.db.selectFrom("desk_passkeys").selectAll().execute()).toHaveLength(1);
  });

  test("two answers to one link at once make one passkey", async () => {
    const { token } = await invite();
    const responses = [await optionsFor(token), await optionsFor(token)].map((options) =>
      createPasskey({ origin: address }).register(options),
    );
    const answers = await Promise.all(
      responses.map((response) => post("/enter/answer", { link: token, response })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test("refuses another origin, another site, a replay, a late answer, a copied device and a key alone", async () => {
    const { passkey, token } = await join();
    const elsewhere = createPasskey({ origin: "https://desk.example.com.evil.example" });
    const { token: another } = await invite("Ben");
    const made = elsewhere.register(await optionsFor(another));
    expect((await post("/enter/answer", { link: another, response: made })).status).toBe(403);

    expect((await signIn(passkey, { from: "https://evil.example" })).status).toBe(403);
    expect((await signIn(passkey, { from: "http://desk.example.com" })).status).toBe(403);
    const ofOtherSite = passkey.signIn({ ...(await optionsFor()), rpId: "evil.example" });
    expect((await post("/enter/answer", { response: ofOtherSite })).status).toBe(403);
    // Somebody touched the key, and nobody was recognised.
    expect((await signIn(passkey, { flags: 0x01 })).status).toBe(403);
    expect((await signIn(elsewhere)).status).toBe(403);
    // A question that was asked for a link signs nobody in.
    const { token: third } = await invite("Cy");
    const crossed = passkey.signIn({ ...(await optionsFor(third)), rpId: "desk.example.com" });
    expect((await post("/enter/answer", { response: crossed })).status).toBe(403);

    const response = passkey.signIn(await optionsFor());
    expect((await post("/enter/answer", { response })).status).toBe(200);
    expect((await post("/enter/answer", { response })).status).toBe(403);
    expect((await signIn(passkey, { count: 1 })).status).toBe(403);
    const late = passkey.signIn(await optionsFor());
    now = new Date(now.getTime() + 5 * minuteMs);
    expect((await post("/enter/answer", { response: late })).status).toBe(403);
    network = "192.0.2.2";
    expect((await signIn(passkey)).status).toBe(200);
    for (const body of ["", "[]", '{"response":{"id":{}}}', `{"link":"${token}","response":7}`]) {
      expect((await ask("/enter/answer", { method: "POST", body })).status, body).toBe(403);
    }
  });

  test("a session ends by time, by its owner, by a new sign-in, with its device and with the person", async () => {
    const { passkey, cookie, person } = await join();
    const { db } = database;
    const device = async () => (await listDeskPeople(db, { only: person.id, now }))[0]?.devices[0];
    expect(await visitor(cookie)).toBe(200);
    await endSession(db, (await device())?.sessions[0]?.key ?? "", person.id + 1);
    expect(await visitor(cookie)).toBe(200);
    await endSession(db, (await device())?.sessions[0]?.key ?? "", person.id);
    expect(await visitor(cookie)).toBe(302);

    const second = cookieOf(await signIn(passkey));
    now = new Date(now.getTime() + 7 * dayMs);
    expect(await visitor(second)).toBe(302);
    const third = cookieOf(await signIn(passkey));
    const body = JSON.stringify({ response: passkey.signIn(await optionsFor()) });
    const again = await ask("/enter/answer", { body, headers: { Cookie: third } });
    expect([await visitor(third), await visitor(cookieOf(again))]).toEqual([302, 200]);

    // Without the owner's last device, nobody could come in.
    const refused = await removePasskey(db, (await device())?.credential ?? "");
    expect(refused).toMatchObject({ problem: expect.stringContaining("last device") });
    expect(await visitor(cookieOf(again))).toBe(200);
    await join();
    expect(await removePasskey(db, (await device())?.credential ?? "")).toEqual({ ok: true });
    expect(await visitor(cookieOf(again))).toBe(302);
    expect((await signIn(passkey)).status).toBe(403);

    const ben = await join("Ben");
    const { token } = await makeLink(db, { personId: ben.person.id, now });
    await removeDeskPerson(db, ben.person.id);
    expect((await post("/enter/ask", { link: token })).status).toBe(403);
    expect(await visitor(ben.cookie)).toBe(302);
    // Somebody must be able to invite.
    await removeDeskPerson(db, person.id);
    expect(await listDeskPeople(db, { now })).toMatchObject([{ name: "Ann" }]);
  });

  test.for(["null", "5", '{"link":5}', '{"link":null}', "{", '{"response":{}}'])(
    "a stranger's request that makes no sense is no fault of the desk's: %s",
    async (body) => {
      expect((await ask("/enter/ask", { body })).status).toBe(200);
      expect((await ask("/enter/answer", { body })).status).toBe(403);
    },
  );

  test("counts the tries of a network, and lets the others in", async () => {
    const { passkey } = await join();
    for (let tried = 2; tried < 30; tried += 1) await post("/enter/ask", {});
    const refused = await post("/enter/ask", {});
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(500);
    network = "198.51.100.7";
    expect((await signIn(passkey)).status).toBe(200);
  });

  test("a link from a mail opens the desk although its cookie is strict, and never leads elsewhere", async () => {
    const headers = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site" };
    const answer = await ask(`/issues?"><script>`, { headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('content="0;url=/issues?%22%3E%3Cscript%3E"');
    const elsewhere = await ask("//evil.example/", { headers });
    expect(await elsewhere.text()).toContain('url=/evil.example/"');
  });
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listMessages } from "#tests/list-messages.ts";
import { type Limit, networkKey, type SubmissionLimits } from "./limits.ts";

const hourSeconds = 3_600;
const wide: Limit = { count: 1_000, windowSeconds: hourSeconds };

function limitsOf(narrow: Partial<SubmissionLimits["message"]>): SubmissionLimits {
  const limits = { perMailbox: wide, perAddress: wide, ...narrow };
  return { message: limits, signUp: limits };
}

const three: Limit = { count: 3, windowSeconds: hourSeconds };
const message = {
  firstName: "Ana",
  lastName: "Souza",
  email: "ana@souza.example",
  message: "Hello",
};
const json = { "content-type": "application/json" };

describeOnEachDatabase("limits of the functions", (database) => {
  const servers: BackendServer[] = [];
  let clientAddress: string | null;

  beforeEach(() => {
    clientAddress = "203.0.113.9";
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(narrow: Partial<SubmissionLimits["message"]> = {}) {
    const server = await startBackendServer(database.db, {
      clientAddress: () => clientAddress,
      submissionLimits: limitsOf(narrow),
    });
    servers.push(server);
    return {
      send: (words: object = {}, headers: Record<string, string> = {}) =>
        server.post("send-contact-email", JSON.stringify({ ...message, ...words }), {
          ...json,
          ...headers,
        }),
      signUp: (email: string, headers: Record<string, string> = {}) =>
        server.post("newsletter-signup", JSON.stringify({ email }), { ...json, ...headers }),
      client: server.client,
    };
  }

  async function statuses(responses: Promise<Response>[]): Promise<number[]> {
    return (await Promise.all(responses)).map((response) => response.status);
  }

  test("one sender's fourth message is refused with when to come back, and another's is taken", async () => {
    const { send } = await start({ perAddress: three });
    const mailbox = (n: number) => ({ email: `${n}@souza.example` });
    expect(await statuses([1, 2, 3].map((n) => send(mailbox(n))))).toEqual([200, 200, 200]);
    const refused = await send(mailbox(4));
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(hourSeconds - 60);
    expect(wait).toBeLessThanOrEqual(hourSeconds);
    expect(refused.headers.get("access-control-expose-headers")).toMatch(/retry-after/i);
    expect(await refused.json()).toEqual({
      error: `Too many messages in a short time. Try again in ${wait} seconds.`,
    });
    expect(await listMessages(database.db)).toHaveLength(3);
    clientAddress = "203.0.113.10";
    expect((await send(mailbox(4))).status).toBe(200);
  });

  test("a mailbox is limited from wherever and however it is named", async () => {
    const { signUp } = await start({ perMailbox: three });
    const answers: number[] = [];
    for (const email of ["p.at@gmail.com", "PAT@gmail.com", "pat+1@gmail.com", "pat+2@gmail.com"]) {
      clientAddress = `203.0.113.${answers.length}`;
      answers.push((await signUp(email)).status);
    }
    expect(answers).toEqual([200, 200, 200, 429]);
    expect((await signUp("ana@example.com")).status).toBe(200);
  });

  test("what an address is refused is not counted against a mailbox", async () => {
    const { signUp } = await start({ perMailbox: three, perAddress: three });
    for (let n = 0; n < 3; n += 1) await signUp(`${n}@example.com`);
    for (let n = 0; n < 20; n += 1) expect((await signUp("pat@example.com")).status).toBe(429);
    clientAddress = "203.0.113.10";
    expect((await signUp("pat@example.com")).status).toBe(200);
  });

  test("a sign-up of what is no address is answered before it is counted", async () => {
    const { signUp } = await start({ perMailbox: three, perAddress: three });
    for (const email of ["x", "", "a@b", "a b@c.example", '"a"@b.example']) {
      for (let n = 0; n < 5; n += 1) {
        expect(await (await signUp(email)).json(), email).toEqual({
          success: false,
          duplicate: false,
          message: "Please enter a valid email address.",
        });
      }
    }
    for (const name of ["1", "2", "3"]) {
      expect((await signUp(`${name}@example.com`)).status).toBe(200);
    }
  });

  test("a repeat of a message is answered like the first, past the limit too, and not counted", async () => {
    const { send } = await start({ perAddress: three });
    const first = { "idempotency-key": "form-1" };
    expect(await statuses([1, 2, 3].map(() => send({}, first)))).toEqual([200, 200, 200]);
    for (let n = 0; n < 10; n += 1)
      expect((await send({ firstName: " Ana  " }, first)).status).toBe(200);
    expect((await send({ message: "2" })).status).toBe(200);
    expect((await send({ message: "3" })).status).toBe(200);
    expect((await send({ message: "4" })).status).toBe(429);
    const repeated = await send({}, first);
    expect(repeated.status).toBe(200);
    expect(await repeated.json()).toEqual({ success: true });
    expect((await send({ message: "new" }, first)).status).toBe(429);
    expect(await listMessages(database.db)).toHaveLength(3);
  });
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["::ffff:203.0.113.9", "::ffff:cb00:7109"],
])("the address %s counts as %s", (address, key) => {
  expect(networkKey(address)).toBe(key);
});

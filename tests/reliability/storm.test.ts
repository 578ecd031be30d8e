import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { type Scene, withScene } from "./scene.ts";

const stranger = "vic.tim@gmail.com";
const signUps = 400;
const spellingCount = 50;
const senderCount = 16;
const bystanders = Array.from({ length: 20 }, (_, n) => `person-${n}@example.com`);
const mailsTimeoutMs = 60_000;
/** After the last mail that has to come, one that must not come would have come too. */
const quietMs = 1_000;

test("a storm of sign-ups over two servers and a kill mails a stranger once, and drops nothing", async () => {
  await withScene({ servers: 2, visitors: 0 }, async (scene) => {
    const acknowledged = new Set<string>();
    let sent = 0;
    let answered = 0;

    async function send() {
      while (sent < signUps) {
        const n = sent;
        sent += 1;
        const email = spelling(n);
        if (!(await signUp(scene, n, email))) continue;
        answered += 1;
        acknowledged.add(email);
      }
    }

    const mailed = (wanted: string) =>
      scene.mail.received.filter(({ to }) => to.some((address) => mailboxKey(address) === wanted));

    const storm = Promise.all(Array.from({ length: senderCount }, send));
    // A mail that a killed server had in hand comes twice, with one id; here none is.
    const isDelivered = () =>
      scene.inDatabase(({ db }) =>
        db
          .selectFrom("outbox")
          .select("delivery_id")
          .where("delivered_at", "is not", null)
          .executeTakeFirst(),
      );
    while (sent < signUps / 2 || !(await isDelivered())) await delay(5);
    await scene.server.kill();
    await scene.server.start();
    for (const [n, email] of bystanders.entries()) {
      while (!(await signUp(scene, n, email))) await delay(10);
    }
    await storm;

    const unmailed = () => bystanders.filter((email) => mailed(email).length === 0);
    const deadline = performance.now() + mailsTimeoutMs;
    while (unmailed().length > 0 && performance.now() < deadline) await delay(50);
    await delay(quietMs);

    expect(unmailed()).toEqual([]);
    expect(mailed(mailboxKey(stranger))).toHaveLength(1);
    expect(answered).toBeGreaterThan(signUps / 4);
    const entries = await scene.inDatabase(({ db }) =>
      db.selectFrom("consent_events").select("email").distinct().execute(),
    );
    const stored = new Set(entries.map(({ email }) => email));
    expect([...acknowledged].filter((email) => !stored.has(email))).toEqual([]);
  });
});

/** The first is the address itself. */
function spelling(n: number): string {
  const tag = n % spellingCount;
  return tag === 0 ? stranger : stranger.replace("@", `+${tag}@`);
}

/** True where the server said yes. */
async function signUp({ servers }: Scene, n: number, email: string): Promise<boolean> {
  const origin = servers[n % servers.length]?.origin;
  try {
    const response = await fetch(`${origin}/functions/v1/newsletter-signup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email }),
    });
    return response.ok && (await response.json()).success === true;
  } catch {
    return false;
  }
}

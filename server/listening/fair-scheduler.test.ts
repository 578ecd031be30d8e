import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerFairly, createFairScheduler, type ServiceClass } from "./fair-scheduler.ts";

/** Work that takes as long as it says, on a clock of its own, and tells who had it done. */
function openCounter() {
  let time = 0;
  const begun: string[] = [];
  const scheduler = createFairScheduler({ now: () => time, roundMs: 10 });
  const ask = (
    who: string,
    ms: number,
    asker: string | null = who,
    serviceClass: ServiceClass = "made",
  ) =>
    scheduler.schedule({
      readAsker: () => asker,
      readServiceClass: () => serviceClass,
      begin: () => {
        begun.push(who);
        time += ms;
      },
    });
  const pass = (ms: number) => {
    time += ms;
  };
  return { ask, begun, pass };
}

async function rounds(count: number) {
  for (let round = 0; round < count; round += 1) await nextRound();
}

describe("turns of the one thread, fairly shared,", () => {
  test("are there at once where a round has time left", () => {
    const { ask, begun } = openCounter();
    ask("192.0.2.1", 4);
    ask("192.0.2.2", 4);
    ask("192.0.2.3", 4);
    expect(begun).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  });

  test("are left for the next round where it has not, and are all had", async () => {
    const { ask, begun } = openCounter();
    for (let n = 1; n <= 9; n += 1) ask(`192.0.2.${n}`, 6);
    expect(begun).toHaveLength(2);
    await rounds(1);
    expect(begun).toHaveLength(4);
    await rounds(3);
    expect(begun).toHaveLength(9);
  });

  test("go to whoever had the least done, in the order they came among equals", async () => {
    const { ask, begun } = openCounter();
    for (let n = 0; n < 12; n += 1) ask("stranger", 10, "192.0.2.1");
    await rounds(4);
    const before = begun.length;
    ask("visitor", 1, "198.51.100.1");
    ask("another", 1, "198.51.100.2");
    await rounds(1);
    expect(begun.slice(before, before + 2)).toEqual(["visitor", "another"]);
    await rounds(10);
    expect(begun).toHaveLength(14);
  });

  test("are had by all of a crowd, though what was done for them is half forgotten meanwhile", async () => {
    const { ask, begun, pass } = openCounter();
    // 21 ms for each of them, which is the second class; after 900 ms it is the first.
    for (const asker of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      for (let n = 0; n < 4; n += 1) ask("stranger", 10.5, asker);
    }
    while (begun.length < 8) await rounds(1);
    pass(900);
    await rounds(30);
    expect(begun).toHaveLength(12);
  });

  test("are had once by each, whoever asks, however long they work and whenever they come", async () => {
    const asks = fc.record({
      asker: fc.integer({ min: 1, max: 4 }),
      ms: fc.integer({ min: 0, max: 30 }),
      afterMs: fc.integer({ min: 0, max: 400 }),
      isNextRound: fc.boolean(),
      serviceClass: fc.constantFrom<ServiceClass>("memory", "made"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asks, { maxLength: 60 }), async (some) => {
        const { ask, begun, pass } = openCounter();
        for (const [n, { asker, ms, afterMs, isNextRound, serviceClass }] of some.entries()) {
          ask(`${n}`, ms, `192.0.2.${asker}`, serviceClass);
          pass(afterMs);
          if (isNextRound) await rounds(1);
        }
        await rounds(some.length + 2);
        expect(begun.toSorted((a, b) => Number(a) - Number(b))).toEqual(some.map((_, n) => `${n}`));
      }),
    );
  });

  test("come for what is in memory before what has to be made, and for both in every round", async () => {
    const { ask, begun } = openCounter();
    for (let n = 0; n < 8; n += 1) ask("made", 4, `192.0.2.${n}`);
    for (let n = 0; n < 8; n += 1) ask("memory", 1, `198.51.100.${n}`, "memory");
    const before = begun.length;
    await rounds(1);
    expect(begun.slice(before)).toEqual([...Array(5).fill("memory"), "made", "made"]);
    await rounds(12);
    expect(begun).toHaveLength(16);
  });

  test("are shared by a network of IPv6 as by one who asks", async () => {
    const { ask, begun } = openCounter();
    for (let n = 0; n < 12; n += 1) ask("stranger", 10, `2001:db8::${n}`);
    await rounds(4);
    const before = begun.length;
    ask("visitor", 1, "2001:db8:1::1");
    await rounds(1);
    expect(begun[before]).toBe("visitor");
  });

  test("come to whoever has waited long, whatever was done for them", async () => {
    const { ask, begun, pass } = openCounter();
    for (let n = 0; n < 12; n += 1) ask("stranger", 10, "192.0.2.1");
    await rounds(3);
    const before = begun.length;
    pass(2_000);
    ask("visitor", 1, "198.51.100.1");
    await rounds(1);
    expect(begun[before]).toBe("stranger");
  });

  test("that are had in one round let what each does at once be done first, its promises included", async () => {
    const steps: string[] = [];
    let time = 0;
    const scheduler = createFairScheduler({ now: () => time, roundMs: 10 });
    const ask = (who: string) =>
      scheduler.schedule({
        readAsker: () => who,
        readServiceClass: () => "made",
        begin: async () => {
          steps.push(`${who} begins`);
          await null;
          await null;
          steps.push(`${who} ends`);
          time += 2;
        },
      });
    scheduler.schedule({
      readAsker: () => null,
      readServiceClass: () => "made",
      begin: () => {
        time += 20;
      },
    });
    for (const who of ["a", "b"]) ask(who);
    await rounds(1);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});

test("a visitor is answered while most of a crowd that came first still waits", async () => {
  const crowd = 200;
  const workMs = 3;
  let answered = 0;
  let answeredBeforeVisitor: number | null = null;
  let visitorAsks = () => {};
  const readAsker = ({ socket }: { socket: { remoteAddress?: string } }) =>
    socket.remoteAddress ?? null;
  const server = createServer(
    answerFairly({
      scheduler: createFairScheduler(),
      readAsker,
      readServiceClass: () => "made",
      answer({ url }, response) {
        if (url === "/visitor") answeredBeforeVisitor = answered;
        for (const from = performance.now(); performance.now() - from < workMs; );
        answered += 1;
        if (answered === crowd / 10) visitorAsks();
        response.end();
      },
    }),
  );
  onTestFinished(() => void server.close());
  let letIn = 0;
  server.on("connection", () => {
    letIn += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connected = (localAddress: string) =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress }, () => resolve(socket));
    });
  const visitor = await connected("127.0.0.3");
  const strangers = await Promise.all(Array.from({ length: crowd }, () => connected("127.0.0.2")));
  while (letIn <= crowd) await nextRound();
  const ask = async (socket: Socket, path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n`);
    await once(socket.resume(), "end");
  };
  const visit = new Promise<void>((resolve) => {
    visitorAsks = resolve;
  }).then(() => ask(visitor, "/visitor"));
  await Promise.all([visit, ...strangers.map((socket) => ask(socket, "/"))]);
  expect(answered).toBe(crowd + 1);
  expect(answeredBeforeVisitor).toBeLessThan(crowd / 2);
});

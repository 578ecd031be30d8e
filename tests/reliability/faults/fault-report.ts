import { setTimeout as delay } from "node:timers/promises";
import type { Scene } from "../scene.ts";
import { createFormVisit, type FormVisit } from "./form-visit.ts";
import { createReader, describeAnswers, inSeconds } from "./reader.ts";

export type FaultSize = {
  /** How often the fault comes, or each form of it. */
  injections: number;
  /** How long it lasts each time, in milliseconds. */
  lastsMs: number;
  /** Serve the built pages, and post the form as a visitor without scripts does. */
  pages?: boolean;
  /** How many visitors write all the while, and their rest after an answer, in milliseconds. */
  visitors?: number;
  pauseMs?: number;
};

/** What a fault did. Every count is of this run. */
export type FaultReport = {
  fault: string;
  injected: number;
  /** Writes that visitors were told are kept. */
  acknowledged: number;
  /** Of those, the ones that are not in the database or were not delivered in the end. */
  lost: number;
  /** Of those, the ones that were not in the database at all. */
  falseSuccesses: number;
  storedTwice: number;
  /** Writes that were delivered under more than one id. */
  underTwoIds: number;
  /** Deliveries that came again under the id they had before. */
  repeats: number;
  /** Forms that came back after a failure without what was in them. */
  fieldsDropped: number;
  /** Servers that ended by themselves. */
  serversDied: number;
  /** The longest that somebody who read meanwhile waited, in milliseconds. */
  longestReadMs: number;
  /** What those who write were answered, and those who read meanwhile. */
  visitor: string;
  /** What the log said at `warn` and above, and how ready the server called itself. */
  operator: string;
};

type Reporter = {
  /**
   * Lets the fault last, and on until it is felt, with somebody reading and, with pages, somebody sending the form all
   * the while. Throws where it is never felt.
   */
  during(lastsMs: number, isFelt?: () => Promise<boolean>): Promise<void>;
  /** The fault is over: those who were refused send again, and the stream goes on. */
  after(): Promise<void>;
  /** Waits for all deliveries and counts. `operator` adds what is seen elsewhere than in the log. */
  end(operator?: string[]): Promise<FaultReport>;
};

const feltTimeoutMs = 30_000;
const feltCheckMs = 50;

/** Acknowledgements that have to come before a fault and after it, so that it hits a stream. */
const streamCount = 12;

export async function beginReport(
  fault: string,
  scene: Scene,
  { pages }: FaultSize,
): Promise<Reporter> {
  const reader = createReader(scene);
  const refused: FormVisit[] = [];
  const forms: string[] = [];
  let injected = 0;
  let fieldsDropped = 0;
  await scene.answered(streamCount);

  async function sendForm(visit: FormVisit) {
    const outcome = await visit.post();
    if (outcome === "failed, fields dropped") fieldsDropped += 1;
    if (outcome === "sent") scene.crowd.acknowledged.messages.push(visit.tracer);
    forms.push(outcome);
    return outcome;
  }

  return {
    async during(lastsMs, isFelt = async () => true) {
      injected += 1;
      reader.start();
      const over = delay(lastsMs);
      if (pages) {
        const visit = createFormVisit(scene);
        if ((await sendForm(visit)) !== "sent") refused.push(visit);
      }
      await over;
      const deadline = performance.now() + feltTimeoutMs;
      while (!(await isFelt())) {
        if (performance.now() > deadline) throw new Error("The fault did not happen.");
        await delay(feltCheckMs);
      }
      await reader.stop();
    },
    async after() {
      await scene.answered(streamCount);
      for (const visit of refused.splice(0)) {
        const again = await sendForm(visit);
        if (again !== "sent") throw new Error(`The form was not taken after the fault: ${again}`);
      }
    },
    async end(operator = []) {
      const serversDied = scene.servers.filter((server) => server.hasDied()).length;
      const found = await scene.settled();
      const { answers, longestWaitMs } = scene.crowd;
      const written = `writes: ${describeAnswers(answers)}, longest wait ${inSeconds(longestWaitMs)}`;
      const posted = forms.length > 0 ? [`form: ${describeAnswers(counted(forms))}`] : [];
      return {
        fault,
        injected,
        acknowledged: found.acknowledged,
        lost: found.lost.length,
        falseSuccesses: found.notStored.length,
        storedTwice: found.storedTwice.length,
        underTwoIds: found.underTwoIds.length,
        repeats: found.repeats,
        fieldsDropped,
        serversDied,
        longestReadMs: reader.longestMs(),
        visitor: [written, ...posted, reader.visitor()].join("; "),
        operator: [describeLog(scene), reader.operator(), ...operator].filter(Boolean).join("; "),
      };
    },
  };
}

function describeLog({ servers }: Scene): string {
  const said = counted(servers.flatMap((server) => server.log().map(({ msg }) => msg)));
  return said.size > 0 ? `log: ${describeAnswers(said)}` : "";
}

function counted(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

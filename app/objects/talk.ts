import { phoneRules, type Taker } from "#content/rules.ts";
import { telephone } from "#content/telephone.ts";
import type { TradeId } from "#content/trades.ts";
import { firstRule } from "./first-rule.ts";

/** How far a visitor has come; what the telephone shows follows from it alone. */
export type Talk = {
  firm: string;
  trade: TradeId;
  /** Whether the text-back has come. */
  isTexted: boolean;
  /** Which of the three clients the visitor answers as, and which of the two answers that one gives. */
  client: number | null;
  answer: number | null;
};

type Message = { by: "firm" | "client"; text: string };

export type Talked = {
  messages: readonly Message[];
  /** What the visitor may say next, as the client. */
  choices: readonly string[];
  /** The rule that decided, once the client has answered. */
  outcome: { to: Taker; says: string } | null;
  /** The day of the week that is filled, from Monday's 0, and what with. */
  slot: { day: number; label: string } | null;
};

export function firmOf({ firm, trade }: Talk): string {
  return firm.trim() || telephone.inTrade[trade].example;
}

export function talked(talk: Talk): Talked {
  const { clients, openings } = telephone.inTrade[talk.trade];
  const firm = firmOf(talk);
  if (!talk.isTexted) return { messages: [], choices: [], outcome: null, slot: null };
  const messages: Message[] = [{ by: "firm", text: telephone.textBack(firm, talk.trade) }];
  const client = talk.client === null ? undefined : clients[talk.client];
  if (!client) {
    return { messages, choices: clients.map(({ says }) => says), outcome: null, slot: null };
  }
  messages.push({ by: "client", text: client.says }, { by: "firm", text: client.asks });
  const answer = client.answers[talk.answer ?? -1];
  if (answer === undefined) {
    return { messages, choices: client.answers, outcome: null, slot: null };
  }
  const { to, says } = firstRule(phoneRules, client.says);
  const { last, callBack } = telephone;
  const text = to === "ring" ? last.ring(firm) : to === "visit" ? last.visit(answer) : last.price;
  messages.push({ by: "client", text: answer }, { by: "firm", text });
  const slot = {
    ring: null,
    visit: { day: openings[talk.answer ?? 0] ?? 0, label: answer },
    price: { day: 0, label: callBack },
  }[to];
  return { messages, choices: [], outcome: { to, says }, slot };
}

import { describe, expect, test } from "vitest";
import { inbox } from "#content/objects.ts";
import { type TradeId, telephone } from "#content/telephone.ts";
import { ruleFor } from "./inbox.tsx";
import { talked } from "./telephone.tsx";

describe("a rule", () => {
  test.each([
    ["The ceiling is LEAKING, and the invoice is attached", "Now"],
    ["It’s bleak out here, see you Tuesday", "To approve"],
    ["No heat in unit 12", "Now"],
    ["Our lawyer’s letter about the fence", "Now"],
    ["Webinar: double your price", "To keep"],
    ["Please sign change order 4", "To approve"],
    ["Invoice 2207", "Money"],
    ["Your order has shipped", "Suppliers"],
    ["Inspection on Palmerston Avenue", "By address"],
    ["", "To approve"],
  ])("files “%s” under %s by a word's beginning, the urgent first", (message, hole) => {
    expect(ruleFor(message).to).toBe(hole);
  });

  test("files each of the inbox's examples elsewhere", () => {
    const holes = inbox.messages.map((message) => ruleFor(message).to);
    expect(new Set(holes).size).toBe(inbox.messages.length);
  });
});

describe.each(Object.keys(telephone.inTrade) as TradeId[])("the telephone of %s", (id) => {
  const begun = { firm: " Ortega & Co ", trade: id, isTexted: true, client: null, answer: null };

  test("says the firm's name, then what a client may say", () => {
    const { messages, choices, outcome } = talked(begun);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toContain("This is Ortega & Co.");
    expect(choices).toHaveLength(3);
    expect(outcome).toBeNull();
    expect(talked({ ...begun, firm: " " }).messages[0]?.text).toContain("This is Example ");
    expect(talked({ ...begun, isTexted: false }).messages).toEqual([]);
  });

  test.each([
    [0, "ring"],
    [1, "visit"],
    [2, "price"],
  ] as const)("asks client %i one question, and goes by the rule: %s", (client, to) => {
    const asked = talked({ ...begun, client });
    expect(asked.choices).toHaveLength(2);
    expect(asked.outcome).toBeNull();
    for (const answer of [0, 1]) {
      const { messages, choices, outcome, slot } = talked({ ...begun, client, answer });
      expect(messages.map(({ by }) => by)).toEqual(["firm", "client", "firm", "client", "firm"]);
      expect(choices).toEqual([]);
      expect(outcome?.to).toBe(to);
      expect(telephone.rules).toContain(outcome);
      expect(slot === null).toBe(to === "ring");
      if (to === "visit") {
        const day = ["Mon", "Tue", "Wed", "Thu", "Fri"][slot?.day ?? -1] ?? "none";
        expect(slot?.label).toMatch(new RegExp(`^${day}`));
        expect(messages[2]?.text).toContain(slot?.label);
      }
    }
  });

  test("has a text-back of one message, 160 characters with a long name", () => {
    expect(telephone.textBack("a".repeat(40), id).length).toBeLessThanOrEqual(160);
  });
});

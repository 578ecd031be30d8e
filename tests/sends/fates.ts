type Fate = "accepted" | "put off" | "refused";

/** What the sink does with a reader's mail, by the address's number: it puts 5 % off once and refuses 2 %. */
export function fateOf(address: string): Fate {
  const number = Number(/^reader-(\d+)@/.exec(address)?.[1] ?? 0) % 100;
  if (number === 13 || number === 57) return "refused";
  return number % 20 === 7 ? "put off" : "accepted";
}

import type { Door } from "./doors/door.ts";
import { formDoor } from "./doors/form-door.ts";
import { functionDoor } from "./doors/function-door.ts";
import { headerDoor } from "./doors/header-door.ts";
import { issueDoor, pathDoor, searchDoor } from "./doors/page-doors.ts";
import { restDoor } from "./doors/rest-door.ts";
import { type FuzzOptions, fuzzDoor } from "./fuzz-door.ts";
import { fuzzProtocol } from "./fuzz-protocol.ts";

/** Every door, and its part of the requests. */
const doors: { door: Door; share: number }[] = [
  { door: restDoor, share: 0.18 },
  { door: functionDoor, share: 0.2 },
  { door: formDoor, share: 0.12 },
  { door: issueDoor, share: 0.1 },
  { door: searchDoor, share: 0.1 },
  { door: pathDoor, share: 0.12 },
  { door: headerDoor, share: 0.1 },
];
const protocolShare = 0.08;

/** Sends so many requests through all doors at once, and gives what was found wrong at each. */
export async function runFuzz({ runs, ...options }: FuzzOptions): Promise<string[]> {
  const partOf = (share: number) => ({ ...options, runs: Math.ceil(runs * share) });
  const found = await Promise.all([
    ...doors.map(({ door, share }) => fuzzDoor(door, partOf(share))),
    fuzzProtocol(partOf(protocolShare)),
  ]);
  return found.filter((finding) => finding !== null);
}

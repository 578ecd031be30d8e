import type fc from "fast-check";
import type { WireRequest } from "../wire-request.ts";

/** A way in for visitors, and what an attacker would send to it. */
export type Door = {
  name: string;
  requests: fc.Arbitrary<WireRequest>;
};

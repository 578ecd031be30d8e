import type { RequestIdVariables } from "hono/request-id";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { PageAddress } from "./page-policy/resolve-address.ts";

/** What the app's middlewares tell one another, in Hono's terms. */
export type AppEnv = {
  Bindings: {
    /** The other end of the connection. */
    socketAddress?: string | null;
    /** Breaks the connection off. */
    cutOff?: () => void;
    /** What the page cache asks for has its turn in the queue already, or gets none. */
    turn?: "has come" | "refused";
  };
  Variables: RequestIdVariables &
    Pick<RequestOrigin, "clientAddress"> & {
      /** What the address leads to, where that is a page. */
      address?: PageAddress;
    };
};

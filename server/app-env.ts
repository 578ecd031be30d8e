import type { RequestIdVariables } from "hono/request-id";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { PageAddress } from "./page-address.ts";

/** What the middlewares of server/http.ts tell one another. */
export type AppEnv = {
  Bindings: {
    /** The other end of the connection. */
    socketAddress?: string | null;
  };
  Variables: RequestIdVariables &
    Pick<RequestOrigin, "clientAddress"> & {
      /** What the address leads to, where that is a page. */
      address?: PageAddress;
      /** The answer came from memory, with all its headers. */
      fromMemory?: "file" | "kept_page";
    };
};

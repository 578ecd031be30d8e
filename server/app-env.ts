import type { RequestIdVariables } from "hono/request-id";
import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { PageAddress } from "./page-address.ts";

/** The variables that the middlewares of server/http.ts share. */
export type AppEnv = {
  Bindings: {
    /** The other end of the connection. */
    socketAddress?: string | null;
  };
  Variables: RequestIdVariables &
    Pick<RequestOrigin, "clientAddress"> & {
      /** Set if the address leads to a page. */
      address?: PageAddress;
      /** Set if the answer came from memory, with all its headers. */
      fromMemory?: "file" | "kept_page";
    };
};

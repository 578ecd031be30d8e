import type { RequestOrigin } from "#contracts/site-settings.ts";
import type { PageAddress } from "./page-address.ts";

/** The variables that the middlewares of server/http.ts share. */
export type AppEnv = {
  Bindings: {
    /** The other end of the connection. */
    socketAddress?: string | null;
  };
  Variables: Pick<RequestOrigin, "clientAddress"> & {
    requestId: string;
    /** Set if the address leads to a page. */
    address?: PageAddress;
    /** Whether the answer is a cached page, with all its headers. */
    isKept?: boolean;
  };
};

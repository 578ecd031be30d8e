/** What the server shell tells of a request, beside the request itself, to the site and to the built-in backend. */
export type RequestOrigin = {
  /** The visitor's network address, where it is known. */
  clientAddress: string | null;
  /** Ties the lines of the log together that one request leaves. */
  requestId?: string;
  /** Put on scripts and styles that a page's own code writes into it: those alone may run there. */
  nonce?: string;
  /** What doesn't exist is answered with a page that is cached already, so only the status is wanted. */
  hasMissingPage?: boolean;
};

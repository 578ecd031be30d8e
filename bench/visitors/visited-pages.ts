/** What visitors look at, in turn. */
export const visitedPages = [
  "/",
  "/pricing",
  "/use-cases/leads",
  "/newsletter",
  "/newsletter/1",
  "/contact",
];

import { useRouteLoaderData } from "react-router";
import type { loader } from "./root.tsx";

/** The firm's facts and today's date as the server took them, the same for server and browser. */
export function useSiteFacts() {
  const facts = useRouteLoaderData<typeof loader>("root");
  if (!facts) throw new Error("The site's facts are read outside the root route.");
  return facts;
}

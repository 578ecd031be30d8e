import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import type { Kysely } from "kysely";
import pino from "pino";
import type { Database } from "#db/tables.ts";
import { createApi } from "#server/api/api.ts";
import type { SubmissionLimits } from "#server/api/limits.ts";
import { testSite } from "./site-identity.ts";

export type BackendServer = Awaited<ReturnType<typeof startBackendServer>>;

/** The REST and functions behind a real socket, with the official client pointed at it. */
export async function startBackendServer(
  db: Kysely<Database>,
  {
    clientAddress = () => "203.0.113.9",
    submissionLimits,
    mailEventsSecret,
  }: {
    clientAddress?: () => string | null;
    submissionLimits?: SubmissionLimits;
    mailEventsSecret?: string;
  } = {},
) {
  const logged: string[] = [];
  const backend = createApi({
    db,
    log: pino({}, { write: (line) => void logged.push(line) }),
    wakeOutbox() {},
    newsletterWebhookUrl: "https://hooks.example/own",
    site: testSite,
    submissionLimits,
    mailEventsSecret,
  });
  const server = serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => backend.fetch(request, { clientAddress: clientAddress() }),
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    client: createClient(origin, "any-key", { auth: { persistSession: false } }).functions,
    logged,
    post(
      name: string,
      body: BodyInit | null,
      headers: Record<string, string> = { "content-type": "application/json" },
    ) {
      const init = { method: "POST", headers, body, duplex: "half" };
      return fetch(`${origin}/functions/v1/${name}`, init as RequestInit);
    },
    async close() {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

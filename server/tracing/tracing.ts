import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Kysely, KyselyPlugin, QueryId, RootOperationNode } from "kysely";
import type { Logger } from "pino";
import { missingPage } from "#contracts/page-policy.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import type { Mailer } from "#mail/create-mailer.ts";
import type { Config } from "../config.ts";
import { requestKind } from "../metrics/counts.ts";
import { resolveAddress } from "../page-policy/resolve-address.ts";

export type Tracing = {
  tracedRequests(answer: RequestListener): RequestListener;
  tracedDatabase(db: Kysely<Database>): Kysely<Database>;
  tracedMailer(mailer: Mailer): Mailer;
  /** Sends what is left. */
  stop(): Promise<void>;
};

/** A collector that doesn't answer holds up no stop. */
const lastExportMs = 3_000;

/**
 * Spans of requests, database statements and mails, to a collector by OTLP over HTTP. They name a route, a statement's kind
 * and table, and how it ended: never an address, a token, a parameter or a text. Loaded only where a collector is set.
 */
export function createTracing(config: NonNullable<Config["tracing"]>, log: Logger): Tracing {
  const { url, headers, timeoutMs, resource } = config;
  const exporter = saidInLog(
    new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs }),
    log,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("chalkline");
  const contexts = new AsyncLocalStorage<Context>();

  function start(name: string, kind: SpanKind, attributes: Attributes): Span {
    const parent = contexts.getStore() ?? ROOT_CONTEXT;
    return tracer.startSpan(name, { kind, attributes }, parent);
  }

  function tracedRequests(answer: RequestListener): RequestListener {
    return (request, response) => {
      const { method = "GET" } = request;
      const route = routeOf(request.url ?? "/") ?? requestKind(request);
      const attributes = { "http.request.method": method, "http.route": route };
      const span = start(`${method} ${route}`, SpanKind.SERVER, attributes);
      response.once("close", () => {
        span.setAttribute("http.response.status_code", response.statusCode);
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      contexts.run(trace.setSpan(ROOT_CONTEXT, span), answer, request, response);
    };
  }

  function tracedDatabase(db: Kysely<Database>): Kysely<Database> {
    const system = isPostgres(db) ? "postgresql" : "sqlite";
    const spans = new WeakMap<QueryId, Span>();
    const plugin: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const { operation, table } = summaryOf(node);
        const span = start([operation, table].join(" ").trim(), SpanKind.CLIENT, {
          "db.system.name": system,
          "db.operation.name": operation,
          ...(table && { "db.collection.name": table }),
        });
        spans.set(queryId, span);
        return node;
      },
      async transformResult({ result, queryId }) {
        spans.get(queryId)?.end();
        spans.delete(queryId);
        return result;
      },
    };
    return db.withPlugin(plugin);
  }

  function tracedMailer(mailer: Mailer): Mailer {
    return {
      ...mailer,
      async send(...sent) {
        const span = start("mail hand-over", SpanKind.CLIENT, {});
        try {
          return await mailer.send(...sent);
        } catch (error) {
          // Without the server's words, which repeat addresses.
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
    };
  }

  async function stop() {
    await Promise.race([provider.shutdown(), delay(lastExportMs, undefined, { ref: false })]);
  }

  return { tracedRequests, tracedDatabase, tracedMailer, stop };
}

/** The exporter keeps to itself that a collector takes nothing. Said once, and once when it takes them again. */
function saidInLog(exporter: SpanExporter, log: Logger): SpanExporter {
  let isRefused = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error } = result;
        if (isRefused !== (code !== 0)) {
          isRefused = !isRefused;
          // Without what the collector answered, which may repeat what it was sent.
          if (isRefused) log.warn({ reason: error?.message }, "The collector takes no traces");
          else log.info("The collector takes traces again");
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Each request begins a trace of its own, so what is decided by a parent is decided for the request. */
function samplerOf({ sampler, sampledShare }: NonNullable<Config["tracing"]>): Sampler {
  if (sampler.endsWith("always_off")) return new AlwaysOffSampler();
  if (sampler.endsWith("always_on")) return new AlwaysOnSampler();
  return new TraceIdRatioBasedSampler(sampledShare);
}

function routeOf(url: string): string | null {
  const address = resolveAddress(url);
  if (address.kind === "misspelled") return "(misspelled)";
  if (address.kind !== "page") return null;
  return address.policy.path === missingPage.path ? "(unknown)" : address.policy.path;
}

/** `SelectQueryNode` of a table is `select` and its name; of anything but one plain table there is no name. */
function summaryOf(node: RootOperationNode): { operation: string; table: string } {
  const operation = node.kind.replace(/(?:Query)?Node$/, "").toLowerCase();
  const named =
    /"kind":"SchemableIdentifierNode","identifier":\{"kind":"IdentifierNode","name":"(\w+)"/;
  const place =
    "from" in node ? node.from : "into" in node ? node.into : "table" in node ? node.table : null;
  return { operation, table: named.exec(JSON.stringify(place) ?? "")?.[1] ?? "" };
}

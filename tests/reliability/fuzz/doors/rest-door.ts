import fc from "fast-check";
import { issueColumns } from "#contracts/issue.ts";
import { headerBytes, hostileText, inTarget, mostly } from "../hostile-text.ts";
import type { WireRequest } from "../wire-request.ts";
import type { Door } from "./door.ts";

const column = mostly(fc.constantFrom(...issueColumns));
const comparison = mostly(
  fc.constantFrom("eq", "neq", "gt", "gte", "lt", "lte", "like", "fts", "cs"),
);
const value = mostly(
  fc.oneof(fc.integer().map(String), fc.constantFrom("2026-11-16", "null", "x")),
);
const list = fc.array(value, { maxLength: 60 }).map((values) => `(${values.join(",")})`);

const filterText = fc.oneof(
  fc.tuple(comparison, value).map(([operator, operand]) => `${operator}.${operand}`),
  fc
    .tuple(fc.constantFrom("in", "not.in", "is", "not.is"), list)
    .map(([operator, values]) => `${operator}.${values}`),
  fc.constantFrom(
    "is.null",
    "not.is.null",
    "is.true",
    "not.not.eq.1",
    "eq",
    ".",
    "in.(",
    'in.("a\\",b)',
  ),
  hostileText,
);
const selectText = fc.oneof(
  fc
    .array(
      mostly(
        fc.constantFrom(
          "*",
          ...issueColumns,
          "a:id",
          "id::text",
          "count()",
          "t(id)",
          "...t(id)",
          '"id"',
        ),
      ),
      { maxLength: 8 },
    )
    .map((fields) => fields.join(",")),
  hostileText,
);
const orderText = fc.oneof(
  fc
    .tuple(column, fc.constantFrom("", ".asc", ".desc", ".desc.nullslast", ".nullsfirst", ".up"))
    .map((parts) => parts.join("")),
  hostileText,
);
const countText = mostly(
  fc.oneof(fc.integer({ min: -5, max: 40 }).map(String), fc.bigInt().map(String)),
);

const parameter = fc
  .oneof(
    fc.tuple(inTarget(column), inTarget(filterText)),
    fc.tuple(fc.constant("select"), inTarget(selectText)),
    fc.tuple(fc.constant("order"), inTarget(orderText)),
    fc.tuple(fc.constantFrom("limit", "offset"), inTarget(countText)),
    fc.tuple(
      inTarget(mostly(fc.constantFrom("and", "or", "not.or", "columns", "on_conflict", "apikey"))),
      inTarget(hostileText),
    ),
  )
  .map((pair) => pair.join("="));
const query = fc
  .tuple(fc.array(parameter, { maxLength: 6 }), fc.constantFrom("&", "&", "&", "&&", ";", "?"))
  .map(([parameters, between]) => parameters.join(between));

const table = fc.oneof(
  { weight: 8, arbitrary: fc.constant("final_newsletters") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "subscribers",
      "contact_messages",
      "outbox",
      "marks",
      "sqlite_master",
      "rpc/x",
      "",
      "final_newsletters/1",
      "%66inal_newsletters",
    ),
  },
  { weight: 1, arbitrary: inTarget(hostileText) },
);
const headers = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "Prefer",
        "Range",
        "Range-Unit",
        "Accept",
        "Accept-Profile",
        "Content-Profile",
        "apikey",
        "Authorization",
        "Origin",
      ),
      fc.oneof(
        fc.constantFrom(
          "count=exact",
          "return=representation",
          "0-1",
          "5-2",
          "-1",
          "0-99999999999999999999",
          "application/vnd.pgrst.object+json",
          "text/csv",
          "*/*",
          "public",
          "private",
          "items",
          "Bearer x",
        ),
        hostileText,
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, text]): [string, string] => [name, headerBytes(text)]));

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant("GET") },
  { weight: 2, arbitrary: fc.constant("HEAD") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE"),
  },
);
const row = Buffer.from(
  `[{"id":1,"title":"overwritten","content_markdown":"x","publish_date":"2026-01-01"}]`,
);

/** `/rest/v1`: query strings of PostgREST's grammar, bent; every table, method and header there might be. */
export const restDoor: Door = {
  name: "REST",
  requests: fc
    .tuple(methods, table, query, headers)
    .map(([method, name, asked, sent]): WireRequest => {
      const writes = /^(POST|PUT|PATCH)$/.test(method);
      return {
        method,
        target: `/rest/v1/${name}${asked ? `?${asked}` : ""}`,
        headers: writes ? [...sent, ["Content-Type", "application/json"]] : sent,
        body: writes ? row : null,
        framing: "length",
        pieceBytes: null,
      };
    }),
};

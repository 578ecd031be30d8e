import { missingPage, type PagePolicy, pagePolicies } from "#contracts/page-policy.ts";

/** What an address leads to. */
type Address =
  | PageAddress
  /** Another spelling of a page's address; `location` is the canonical one, with the query as it came. */
  | { kind: "misspelled"; location: string }
  /** Health checks, the backend, files, and what can't be read. */
  | { kind: "other" };

export type PageAddress = {
  kind: "page";
  policy: PagePolicy;
  /** Whether the router in the browser asks for the page's data alone. */
  isData: boolean;
  /** Null where the answer is somebody's own, or one of endlessly many. */
  key: PageKey | null;
};

/** Under which a page's answer is cached: all that it depends on, and nothing else that the address may say. */
export type PageKey = {
  /** The address that the answer is made for. */
  key: string;
  ttlMs: number;
  /** What the answer must be to be cached. */
  status: 200 | 404;
  /** Whether it is one of many of its kind, which share a bounded room. */
  varies: boolean;
  /** Whether it is a page's data alone. */
  isData: boolean;
  /** Whether a published or removed issue changes it. */
  showsIssues: boolean;
  /** The issue that it shows the body of; null for every other page. */
  issueId: number | null;
  /** What answers in its place where it doesn't exist. */
  whenMissing: PageKey | null;
};

/** Longest path and query that a page is asked with, in characters. */
export const targetMaxLength = 8_192;

/** What no path's part or parameter of the forms in the policy table says: the page of what doesn't exist. */
const nothing = "0";
const missingPath = "/no-such-page";
const dataEnding = ".data";
const routesParameter = "_routes";

/** Below these the backend answers: its table, its functions, and the pictures of archives. */
export const backendRoots = ["/rest/", "/functions/", "/pictures/"];
const otherPaths = /^\/assets\/|^\/(?:healthz|readyz)$/;

const plainAddresses = new Map<string, PageAddress>();
for (const policy of pagePolicies) {
  if (policy.varies?.by === "path") continue;
  plainAddresses.set(policy.path, plainAddress(policy, policy.path, false));
  if (policy.kind === "page") {
    plainAddresses.set(dataPath(policy.path), plainAddress(policy, policy.path, true));
  }
}
const missing = plainAddress(missingPage, missingPath, false);
const missingData = plainAddress(missingPage, missingPath, true);

const varyingPaths = pagePolicies.flatMap((policy) =>
  policy.varies?.by === "path"
    ? [{ policy, form: policy.varies.form, start: policy.path.replace(/:\w+$/, "") }]
    : [],
);

/**
 * What a request's target (its path and query, as they came) leads to. Cheap for an address in its canonical form; for
 * others it costs a walk over their characters.
 */
export function resolveAddress(target: string): Address {
  if (target.length > targetMaxLength) return { kind: "other" };
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const known = knownAddress(path);
  if (known) return queryAt < 0 ? known : withQuery(known, target.slice(queryAt + 1));
  if (isOfBackend(path) || otherPaths.test(path) || !path.startsWith("/")) return { kind: "other" };
  const canonical = canonicalPath(path);
  if (canonical !== null) {
    return { kind: "misspelled", location: canonical + target.slice(path.length) };
  }
  const unknown = unknownAddress(path);
  if (!unknown) return { kind: "other" };
  return queryAt < 0 ? unknown : withQuery(unknown, target.slice(queryAt + 1));
}

/** Whether the built-in backend answers there: {@link backendRoots}. */
export function isOfBackend(path: string): boolean {
  return backendRoots.some((root) => path.startsWith(root));
}

/** Whether what is asked is in memory as bytes, or will be from then on: files, pages and redirections. */
export function isInMemory(method: string | undefined, target: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const address = resolveAddress(target);
  return address.kind === "page" ? address.key !== null : !isOfBackend(target);
}

function knownAddress(path: string): PageAddress | null {
  const plain = plainAddresses.get(path);
  if (plain) return plain;
  for (const { policy, form, start } of varyingPaths) {
    if (!path.startsWith(start)) continue;
    const isData = path.endsWith(dataEnding);
    const part = path.slice(start.length, isData ? -dataEnding.length : undefined);
    if (form.test(part)) return varyingAddress(policy, start, part, isData);
  }
  return null;
}

/**
 * The page's address that another spelling of it means: capitals, a slash too many, dot segments, `index.html`, letters
 * that are percent-encoded without need. Null where no page is meant.
 */
function canonicalPath(path: string): string | null {
  const decoded = decodedPath(path)?.toLowerCase();
  if (decoded === undefined) return null;
  const isData = decoded.endsWith(dataEnding);
  const parts: string[] = [];
  const page = isData ? decoded.slice(0, -dataEnding.length) : decoded;
  for (const part of page.split(/[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  // The router asks so for the data of an address that ends in a slash.
  const last = parts.at(-1);
  if (last === "index.html" || (isData && last === "_")) parts.pop();
  const known = knownAddress(`/${parts.join("/")}`);
  if (!known || (isData && known.policy.kind === "file")) return null;
  const canonical = `/${parts.join("/")}`;
  return isData ? dataPath(canonical) : canonical;
}

/** An address that is no page's; null where it can't be read. */
function unknownAddress(path: string): PageAddress | null {
  const isData = path.endsWith(dataEnding);
  for (const { policy, start } of varyingPaths) {
    const part = path.startsWith(start) ? path.slice(start.length) : "";
    if (part !== "" && !part.includes("/")) return varyingAddress(policy, start, nothing, isData);
  }
  if (decodedPath(path) === null) return null;
  return isData ? missingData : missing;
}

function plainAddress(policy: PagePolicy, path: string, isData: boolean): PageAddress {
  const key = isData ? dataPath(path) : path;
  const { ttlMs, status, showsIssues } = policy;
  return {
    kind: "page",
    policy,
    isData,
    key: {
      key,
      ttlMs,
      status,
      varies: false,
      isData,
      showsIssues,
      issueId: null,
      whenMissing: null,
    },
  };
}

function varyingAddress(
  policy: PagePolicy,
  start: string,
  part: string,
  isData: boolean,
): PageAddress {
  const key = (said: string): PageKey =>
    keyOf(policy, said, isData ? dataPath(start + said) : start + said, isData);
  return { kind: "page", policy, isData, key: varyingKey(key, part, isData) };
}

/** The address with what its page knows of the query; whatever else the query says makes no other page of it. */
function withQuery(address: PageAddress, query: string): PageAddress {
  const { policy, isData, key } = address;
  const { varies, ownParameters = [] } = policy;
  const parameter = varies?.by === "query" ? varies.parameter : null;
  const names = [...ownParameters, ...(parameter ? [parameter] : [])];
  if (isData) names.push(routesParameter);
  const mayKnow = query.includes("%") || names.some((name) => query.includes(`${name}=`));
  if (names.length === 0 || !mayKnow || key === null) return address;

  const asked = new URLSearchParams(query);
  if (ownParameters.some((name) => asked.get(name))) return { ...address, key: null };
  const isForLeaf = isData && asked.get(routesParameter) === policy.routeId;
  const routes = isForLeaf ? `${routesParameter}=${encodeURIComponent(policy.routeId)}` : "";
  const withRoutes = (made: PageKey, separator: string): PageKey =>
    routes ? { ...made, key: made.key + separator + routes } : made;

  const value = parameter && asked.get(parameter);
  if (!value || !varies) return { ...address, key: withRoutes(key, "?") };
  const part = varies.form.test(value) ? value : nothing;
  const keyFor = (said: string) => {
    const made = keyOf(policy, said, `${key.key}?${parameter}=${said}`, isData);
    return withRoutes(made, "&");
  };
  return { ...address, key: varyingKey(keyFor, part, isData) };
}

function keyOf(policy: PagePolicy, said: string, key: string, isData: boolean): PageKey {
  const exists = said !== nothing;
  const { ttlMs, showsIssues, showsIssueBody } = policy;
  const issueId = exists && showsIssueBody ? Number(said) : null;
  const status = exists ? 200 : 404;
  return { key, ttlMs, status, varies: exists, isData, showsIssues, issueId, whenMissing: null };
}

function varyingKey(key: (said: string) => PageKey, said: string, isData: boolean): PageKey {
  // Data of what is missing is small and made of a look at the database alone.
  if (said === nothing || isData) return key(said);
  return { ...key(said), whenMissing: key(nothing) };
}

/** Where the router in the browser asks for a page's data. */
function dataPath(path: string): string {
  return path === "/" ? `/_${dataEnding}` : path + dataEnding;
}

/** Null where the percent-encoding is malformed or hides a zero byte. */
function decodedPath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes("\0") ? null : decoded;
  } catch {
    return null;
  }
}

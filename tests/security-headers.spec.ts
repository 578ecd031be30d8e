import { type RequestOptions, request } from "node:http";
import { sitePages } from "./every-page/routes.ts";
import { provider } from "./scheduling-provider.ts";
import { expect, test } from "./site-test.ts";

// An https address, as the site has it where it's public; it is asked past what ends TLS.
test.use({ siteSettings: { ...provider, SITE_URL: "https://chalkline.example" } });

const wanted = {
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^strict-origin-when-cross-origin$/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^(same|cross)-origin$/,
  "permissions-policy": /\bcamera=\(\), .*\bmicrophone=\(\)/,
  "strict-transport-security": /^max-age=31536000$/,
};

/** More than one mailbox may send within an hour. */
const signUpsAtMost = 30;

type Asked = {
  name: string;
  path: string;
  status: number;
  options?: RequestOptions;
  body?: string;
};

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const post = (headers: Record<string, string>): RequestOptions => ({ method: "POST", headers });

const answers: Asked[] = [
  ...sitePages.map(({ path, status }) => ({ name: "page", path, status })),
  { name: "data of a page", path: "/pricing.data", status: 200 },
  { name: "head of a page", path: "/", status: 200, options: { method: "HEAD" } },
  {
    name: "compressed page",
    path: "/",
    status: 200,
    options: { headers: { "accept-encoding": "br" } },
  },
  { name: "file", path: "/favicon.svg", status: 200 },
  { name: "missing file", path: "/assets/gone-12345678.js", status: 404 },
  { name: "feed", path: "/feed.xml", status: 200 },
  { name: "robots", path: "/robots.txt", status: 200 },
  { name: "health", path: "/healthz", status: 200 },
  { name: "readiness", path: "/readyz", status: 200 },
  { name: "issues", path: "/rest/v1/final_newsletters?select=id", status: 200 },
  { name: "unknown table", path: "/rest/v1/secrets", status: 404 },
  {
    name: "empty sign-up",
    path: "/functions/v1/newsletter-signup",
    status: 422,
    options: post(json),
    body: "{}",
  },
  {
    name: "unknown function",
    path: "/functions/v1/nothing",
    status: 404,
    options: post(json),
    body: "{}",
  },
  { name: "form from nowhere", path: "/contact", status: 400, options: post(form), body: "email=" },
  {
    name: "form of the site",
    path: "/contact",
    status: 400,
    options: post({ ...form, origin: "https://chalkline.example" }),
    body: "email=",
  },
  {
    name: "form of another site",
    path: "/contact",
    status: 403,
    options: post({ ...form, origin: "https://attacker.example" }),
    body: "email=",
  },
  {
    name: "form that is too large",
    path: "/contact",
    status: 413,
    // Declared and not sent: the answer doesn't wait for it.
    options: post({ ...form, origin: "https://chalkline.example", "content-length": "1000000" }),
    body: "email=",
  },
  { name: "method that pages don't know", path: "/", status: 405, options: { method: "PUT" } },
  { name: "question of another origin", path: "/", status: 405, options: { method: "OPTIONS" } },
  { name: "address that can't be read", path: "/%ff", status: 404 },
  { name: "endless address", path: `/${"a".repeat(9_000)}`, status: 414 },
  {
    name: "host that can't be read",
    path: "/search?q=x",
    status: 400,
    options: { headers: { host: "a b" } },
  },
];

test("every answer carries the security headers, and no cookie", async ({ site }) => {
  const statuses: string[] = [];
  for (const asked of answers) {
    const { status, headers } = await ask(site.url, asked);
    statuses.push(`${asked.name}: ${status}`);
    expectSafe(headers, asked.name);
  }
  expect(statuses).toEqual(answers.map(({ name, status }) => `${name}: ${status}`));
});

test("a sign-up too many is refused with the same headers", async ({ site }) => {
  const signUp = { name: "sign-up", path: "/functions/v1/newsletter-signup", status: 200 };
  const body = JSON.stringify({ email: "again-and-again@example.com" });
  for (let sent = 0; sent < signUpsAtMost; sent += 1) {
    const { status, headers } = await ask(site.url, { ...signUp, options: post(json), body });
    expectSafe(headers, `sign-up answered ${status}`);
    if (status === 429) return;
  }
  throw new Error("No sign-up was refused.");
});

test("what a browser is told that it has already carries them too", async ({ site }) => {
  for (const path of ["/", "/favicon.svg"]) {
    const first = await ask(site.url, { name: "first", path, status: 200 });
    const options = { headers: { "if-none-match": String(first.headers.etag) } };
    const again = await ask(site.url, { name: "again", path, status: 304, options });
    expect(again.status).toBe(304);
    expectSafe(again.headers, path);
  }
});

test("other sites may show the site's pictures and load nothing else of it", async ({ site }) => {
  const policyOf = async (path: string) =>
    (await ask(site.url, { name: "", path, status: 200 })).headers["cross-origin-resource-policy"];
  expect(await policyOf("/favicon.svg")).toBe("cross-origin");
  expect(await policyOf("/")).toBe("same-origin");
  expect(await policyOf("/rest/v1/final_newsletters")).toBe("same-origin");
});

test("no page allows inline scripts, and style attributes are in issues' bodies alone", async ({
  site,
}) => {
  for (const { path } of sitePages) {
    const { headers, body } = await ask(site.url, { name: "page", path, status: 200 });
    const policy = directivesOf(headers);
    expect(policy.get("default-src"), path).toBe("'self'");
    for (const unused of ["object-src", "media-src", "worker-src"]) {
      expect(policy.get(unused), `${path}: ${unused}`).toBe("'none'");
    }
    expect(policy.get("script-src"), path).toMatch(
      /^'self'( 'sha256-[\w+/=]+')+ https:\/\/assets\./,
    );
    expect(policy.get("style-src"), path).toMatch(
      /^'self' 'sha256-[\w+/=]+' https:\/\/assets\.\S+$/,
    );
    expect(policy.get("frame-ancestors"), path).toBe("'none'");
    expect(policy.get("base-uri"), path).toBe("'none'");
    expect(policy.get("form-action"), path).toBe("'self'");
    const showsIssue = /^\/newsletter(\/\d+|\?issue=\d+)?$/.test(path);
    expect(policy.has("style-src-attr"), path).toBe(showsIssue);
    if (!showsIssue) expect(body.match(/<[^>]*\sstyle=/g), path).toBeNull();
    expect(body, path).not.toContain("nonce=");
  }
});

type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

function ask(origin: string, { path, options, body }: Asked): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, path, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

function expectSafe(headers: Answer["headers"], name: string) {
  for (const [header, value] of Object.entries(wanted))
    expect(headers[header], `${header} of ${name}`).toMatch(value);
  expect(headers["set-cookie"], name).toBeUndefined();
}

function directivesOf(headers: Answer["headers"]): Map<string, string> {
  const policy = String(headers["content-security-policy"]).split("; ");
  return new Map(
    policy.map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

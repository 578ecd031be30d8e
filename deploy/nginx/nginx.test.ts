import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { startServerProcess } from "#tests/reliability/server-process.ts";
import { needTool } from "../../bench/debian-tools.ts";

async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports: number[] = [];
  for (const probe of probes) {
    if (!probe.listening) await once(probe, "listening");
    ports.push((probe.address() as { port: number }).port);
  }
  for (const probe of probes) probe.close();
  return ports;
}

async function newDatabase() {
  const admin = new pg.Client(inject("postgresUrl"));
  await admin.connect();
  const name = `nginx_${randomUUID().slice(0, 8)}`;
  await admin.query(`create database ${name}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = name;
  const client = new pg.Client(url.href);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url: url.href, client };
}

/** nginx with the configuration as it is shipped; only ports, names of files and the certificate are this machine's. */
async function startShippedNginx(copies: number[]) {
  needTool("nginx", () => {});
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-front-"));
  const [http = 0, https = 0] = await freePorts(2);
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const selfSigned = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1";
  const about = ["-subj", "/CN=www.example.com", "-keyout", key, "-out", cert];
  execFileSync("openssl", [...selfSigned.split(" "), ...about], { stdio: "ignore" });
  const shipped = await readFile(path.join(import.meta.dirname, "chalkline.conf"), "utf8");
  const [first = 0, second = 0] = copies;
  const here = [
    ["127.0.0.1:3001", `127.0.0.1:${first}`],
    ["127.0.0.1:3002", `127.0.0.1:${second}`],
    ["listen 80;", `listen 127.0.0.1:${http};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${https} ssl http2;`],
    ["listen [::]:443 ssl http2;", ""],
    ["/etc/letsencrypt/live/www.example.com/fullchain.pem", cert],
    ["/etc/letsencrypt/live/www.example.com/privkey.pem", key],
  ].reduce((text, [from = "", to = ""]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, shipped);
  await writeFile(path.join(folder, "site.conf"), here);
  await writeFile(
    path.join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 512; }
     http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       include ${folder}/site.conf; }`,
  );
  const flags = ["-c", path.join(folder, "nginx.conf"), "-p", folder];
  execFileSync("nginx", ["-t", "-q", ...flags]);
  const nginx = spawn("nginx", flags, { stdio: "ignore" });
  onTestFinished(async () => {
    const exited = once(nginx, "exit");
    nginx.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  return { http, https };
}

type Asked = { path: string; body?: unknown; from?: string; headers?: Record<string, string> };

/** As a visitor at an address of the loopback network. */
async function ask(port: number, { path: target, body, from = "127.0.0.9", headers = {} }: Asked) {
  const text = body === undefined ? null : JSON.stringify(body);
  const request = httpsRequest({
    ...{ host: "127.0.0.1", port, path: target, localAddress: from, rejectUnauthorized: false },
    method: text === null ? "GET" : "POST",
    headers: { Host: "www.example.com", "Content-Type": "application/json", ...headers },
    agent: false,
  });
  request.end(text ?? undefined);
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode as number;
}

async function untilAnswered(port: number) {
  await expect
    .poll(() => ask(port, { path: "/readyz" }).catch(() => 0), { timeout: 10_000 })
    .toBe(200);
}

const message = (email: string) => ({ firstName: "D", lastName: "R", email, message: "Hello" });

test("the shipped nginx before two copies on PostgreSQL: one is killed, and nothing acknowledged is lost", async () => {
  const database = await newDatabase();
  const settings = { DATABASE_URL: database.url, TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "error" };
  // Both at once, on an empty database.
  const [one, two] = await Promise.all([
    startServerProcess(settings),
    startServerProcess(settings),
  ]);
  const { http, https } = await startShippedNginx([one.port, two.port]);
  await untilAnswered(https);

  const plain = httpRequest({ host: "127.0.0.1", port: http, path: "/contact?x=1" }).end();
  const [redirect] = await once(plain, "response");
  redirect.resume();
  expect([redirect.statusCode, redirect.headers.location]).toEqual([
    308,
    "https://www.example.com/contact?x=1",
  ]);

  // What a visitor claims to be is not believed; where they come from is.
  await ask(https, {
    path: "/functions/v1/send-contact-email",
    body: message("claims@lopes.example"),
    headers: { "X-Forwarded-For": "203.0.113.1" },
  });
  const { rows } = await database.client.query(
    "select sender_address from contact_messages where email = 'claims@lopes.example'",
  );
  expect(rows).toEqual([{ sender_address: "127.0.0.9" }]);

  const acknowledged: string[] = [];
  const refused: number[] = [];
  const reads: number[] = [];
  const visitors = Array.from({ length: 8 }, async (_, visitor) => {
    for (let n = 0; n < 8; n += 1) {
      const email = `${visitor}-${n}-${randomUUID().slice(0, 8)}@lopes.example`;
      const from = `127.0.1.${visitor + 1}`;
      const body = message(email);
      const status = await ask(https, { path: "/functions/v1/send-contact-email", body, from });
      if (status === 200) acknowledged.push(email);
      else refused.push(status);
      reads.push(await ask(https, { path: "/rest/v1/final_newsletters?select=id&limit=1", from }));
      if (visitor === 0 && n === 2) two.process.kill("SIGKILL");
    }
  });
  await Promise.all(visitors);

  expect(new Set(reads)).toEqual(new Set([200]));
  // Those alone that the killed copy had in its hands.
  expect(refused.length).toBeLessThanOrEqual(8);
  expect(new Set(refused).isSubsetOf(new Set([502]))).toBe(true);
  const stored = await database.client.query<{ email: string }>(
    "select email from contact_messages where email like '%-%@lopes.example'",
  );
  const emails = stored.rows.map(({ email }) => email);
  expect(new Set(acknowledged).isSubsetOf(new Set(emails))).toBe(true);
  expect(new Set(emails).size).toBe(emails.length);
}, 60_000);

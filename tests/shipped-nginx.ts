import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { startDaemon } from "./real-programs/daemon.ts";

const shippedFile = path.join(import.meta.dirname, "..", "deploy", "nginx", "chalkline.conf");
const shippedEdges = path.join(shippedFile, "..", "cdn.conf");
const connections = 4_096;

/**
 * nginx with the configuration as it is shipped, in front of two instances on this machine, and of a desk where it has a
 * port; ports, file names and the certificate are replaced. `edge` is the address of a CDN's server beside those that are
 * shipped. Throws when a shipped file no longer contains one of them.
 */
export async function startShippedNginx(
  copies: readonly [number, number],
  { edge = "", deskPort = 0 } = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-front-"));
  const [http, https] = [await freePort(), await freePort()];
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const selfSigned = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1";
  const about = ["-subj", "/CN=www.example.com", "-keyout", key, "-out", cert];
  execFileSync("openssl", [...selfSigned.split(" "), ...about], { stdio: "ignore" });
  const onThisMachine = (name: string) => [
    ["listen 80;", `listen 127.0.0.1:${http};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl http2", `listen 127.0.0.1:${https} ssl http2`],
    ["listen [::]:443 ssl http2;", ""],
    [`/etc/letsencrypt/live/${name}/fullchain.pem`, cert],
    [`/etc/letsencrypt/live/${name}/privkey.pem`, key],
  ];
  const site = replaced(await readFile(shippedFile, "utf8"), [
    ["127.0.0.1:3001", `127.0.0.1:${copies[0]}`],
    ["127.0.0.1:3002", `127.0.0.1:${copies[1]}`],
    ...onThisMachine("www.example.com"),
    ["listen [::]:443 ssl http2 default_server;", ""],
    ["/etc/nginx/chalkline-cdn*.conf", path.join(folder, "cdn*.conf")],
  ]);
  const desk =
    deskPort &&
    replaced(await readFile(path.join(shippedFile, "..", "desk.conf"), "utf8"), [
      ["127.0.0.1:4477", `127.0.0.1:${deskPort}`],
      ...onThisMachine("desk.example.com"),
    ]);
  await writeFile(path.join(folder, "site.conf"), site + (desk || ""));
  if (edge !== "") {
    const shipped = await readFile(shippedEdges, "utf8");
    await writeFile(path.join(folder, "cdn.conf"), `${shipped}\nset_real_ip_from ${edge};\n`);
  }
  await writeFile(
    path.join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections ${connections}; }
     http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       include ${folder}/site.conf; }`,
  );
  const flags = ["-c", path.join(folder, "nginx.conf"), "-p", folder];
  execFileSync("nginx", ["-t", "-q", ...flags]);
  const nginx = await startDaemon(["nginx", ...flags], { ports: [https] });
  return {
    /** Ports of the loopback. */
    http,
    https,
    reload: () => nginx.signal("SIGHUP"),
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function replaced(shipped: string, here: string[][]): string {
  return here.reduce((text, [from = "", to = ""]) => {
    if (!text.includes(from)) throw new Error(`The shipped nginx file has no ${from}`);
    return text.replaceAll(from, to);
  }, shipped);
}

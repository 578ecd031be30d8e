import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#tests/free-port.ts";

/** A file as it goes over the wire: bytes already encoded, and the headers to send with them. */
export type ServedFile = { name: string; body: Buffer; headers: Record<string, string> };

/**
 * Debian's nginx with one worker on the loopback, handing out files that are already compressed, with the same headers
 * as ours: the yardstick of the page and asset rates.
 */
export async function startNginx(files: ServedFile[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-nginx-"));
  const port = await freePort();
  for (const { name, body } of files) await writeFile(path.join(folder, name), body);
  await writeFile(path.join(folder, "nginx.conf"), configuration(folder, port, files));
  const server = spawn("nginx", ["-c", path.join(folder, "nginx.conf"), "-p", folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(`${url}/${files[0]?.name}`, server);
  return {
    url,
    async stop() {
      const exited = once(server, "exit");
      server.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, files: ServedFile[]): string {
  const location = ({ name, headers }: ServedFile) => `
    location = /${name} {
      types { }
      default_type "${headers["content-type"]}";
      ${Object.entries(headers)
        .filter(([header]) => header !== "content-type")
        .map(([header, value]) => `add_header ${header} "${value.replaceAll('"', '\\"')}";`)
        .join("\n      ")}
    }`;
  return `
worker_processes 1;
daemon off;
user root;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  client_body_temp_path ${folder}/body;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    ${files.map(location).join("\n")}
  }
}
`;
}

async function untilItAnswers(url: string, server: ChildProcess) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (server.exitCode !== null) break;
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await delay(100);
  }
  throw new Error("nginx did not start.");
}

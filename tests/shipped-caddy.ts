import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { endProcess } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { newFolder } from "./test-folder.ts";

const shippedFile = path.join(import.meta.dirname, "..", "deploy", "caddy", "Caddyfile");

/**
 * Caddy with the file as it is shipped, but without certificates, in front of instances on this machine, until the test has
 * finished. `edge` is the address of a CDN's server. The desk is desk.example.com at the same port.
 */
export async function startShippedCaddy(upstreamPorts: number[], { edge = "", deskPort = 0 } = {}) {
  const [port, adminPort, folder] = [await freePort(), await freePort(), newFolder()];
  const file = path.join(folder, "Caddyfile");
  // The other name's block wants a certificate.
  const shipped = readFileSync(shippedFile, "utf8").replace(
    /^\{\$SITE_OTHER_ADDRESS[^}]*\}[^}]*\}\n/m,
    "",
  );
  writeFileSync(file, shipped.replace(/^\{\n/m, `{\n\tadmin 127.0.0.1:${adminPort}\n`));
  if (edge) writeFileSync(path.join(folder, "chalkline-cdn.caddy"), `trusted_proxies ${edge}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    SITE_ADDRESS: `http://127.0.0.1:${port}`,
    DESK_ADDRESS: `http://desk.example.com:${port}`,
    DESK_UPSTREAM: `127.0.0.1:${deskPort || 4477}`,
    SITE_UPSTREAMS: upstreamPorts.map((upstream) => `127.0.0.1:${upstream}`).join(" "),
  };
  const caddy = spawn("caddy", ["run", "--config", file], { stdio: "ignore", env });
  onTestFinished(async () => void (await endProcess(caddy)));
  return {
    port,
    async reload() {
      const at = ["--address", `127.0.0.1:${adminPort}`, "--config", file, "--force"];
      const [code] = await once(
        spawn("caddy", ["reload", ...at], { stdio: "ignore", env }),
        "exit",
      );
      if (code !== 0) throw new Error(`Caddy did not reload: ${code}`);
    },
  };
}

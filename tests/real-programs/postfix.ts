import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../free-port.ts";

const services = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`;

/**
 * Postfix as a firm's relay on a free port of this machine, with a queue of its own, that passes everything on to another
 * server. It is root's to start.
 */
export async function startPostfix({
  nextPort,
  ...first
}: { nextPort: number } & Record<string, string | number>) {
  const folder = mkdtempSync(path.join(tmpdir(), "pf-"));
  chmodSync(folder, 0o755);
  const [port, data] = [await freePort(), path.join(folder, "data")];
  mkdirSync(data);
  execFileSync("chown", ["postfix", data]);
  const fixed: Record<string, string | number> = {
    compatibility_level: "3.6",
    queue_directory: path.join(folder, "queue"),
    data_directory: data,
    maillog_file: path.join(folder, "log"),
    maillog_file_prefixes: folder,
    myhostname: "relay.test",
    inet_interfaces: "127.0.0.1",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    default_transport: `smtp:[127.0.0.1]:${nextPort}`,
    smtp_tls_security_level: "none",
    smtpd_recipient_restrictions: "permit_mynetworks, reject",
    // Limits hold for this machine too.
    smtpd_client_event_limit_exceptions: "",
    anvil_rate_time_unit: "3s",
  };
  mkdirSync(path.join(folder, "queue"));
  writeFileSync(
    path.join(folder, "master.cf"),
    `127.0.0.1:${port} inet n - n - - smtpd${services}`,
  );
  function write(more: Record<string, string | number>) {
    const all = Object.entries({ ...fixed, ...more });
    const text = all.map(([name, value]) => `${name} = ${value}\n`).join("");
    writeFileSync(path.join(folder, "main.cf"), text);
  }
  function run(command: string) {
    return spawnSync("postfix", ["-c", folder, command], { encoding: "utf8" });
  }
  write(first);
  const started = run("start");
  if (started.status !== 0) throw new Error(`Postfix did not start: ${started.stderr}`);
  onTestFinished(() => {
    run("abort");
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Puts settings over those it began with. */
    set(more: Record<string, string | number>) {
      write(more);
      // Cut off, since a connection that is served goes on by the settings it began with.
      run("abort");
      const again = run("start");
      if (again.status !== 0) throw new Error(`Postfix did not start: ${again.stderr}`);
    },
  };
}

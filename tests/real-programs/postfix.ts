import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { untilTaken } from "./daemon.ts";

const execute = promisify(execFile);

const services = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`;

export type PostfixSettings = Record<string, string | number>;

/**
 * Postfix with a queue and settings of its own, which listens on each of these ports with more settings. It is root's to
 * start.
 */
export async function startPostfix(
  folder: string,
  {
    settings,
    listeners,
  }: { settings: PostfixSettings; listeners: { at: string; settings?: PostfixSettings }[] },
) {
  const data = path.join(folder, "data");
  mkdirSync(data, { recursive: true });
  mkdirSync(path.join(folder, "queue"));
  execFileSync("chown", ["postfix", data]);
  const fixed: PostfixSettings = {
    compatibility_level: "3.6",
    queue_directory: path.join(folder, "queue"),
    data_directory: data,
    maillog_file: path.join(folder, "log"),
    maillog_file_prefixes: folder,
    inet_interfaces: "localhost",
    mydestination: "",
    alias_maps: "",
    local_recipient_maps: "",
    // No name is asked for, so that everything stays on this machine.
    disable_dns_lookups: "yes",
    smtp_dns_support_level: "disabled",
    smtp_host_lookup: "native",
    smtpd_peername_lookup: "no",
    // Limits hold for this machine too.
    smtpd_client_event_limit_exceptions: "",
    // Seconds in place of hours.
    minimal_backoff_time: "1s",
    maximal_backoff_time: "2s",
    queue_run_delay: "1s",
    service_throttle_time: "1s",
  };
  const listening = listeners.map(
    ({ at, settings: more = {} }) =>
      `${at} inet n - n - - smtpd${Object.entries(more)
        .map(([name, value]) => `\n  -o { ${name} = ${value} }`)
        .join("")}\n`,
  );
  writeFileSync(path.join(folder, "master.cf"), listening.join("") + services);
  function write(more: PostfixSettings) {
    const all = Object.entries({ ...fixed, ...settings, ...more });
    const text = all.map(([name, value]) => `${name} = ${value}\n`).join("");
    writeFileSync(path.join(folder, "main.cf"), text);
  }
  const ports = listeners.map(({ at }) => Number(at.split(":").at(-1)));
  async function run(command: string) {
    await execute("postfix", ["-c", folder, command]).catch((error: Error) => {
      const said = readFileSync(path.join(folder, "log"), "utf8").split("\n").slice(-20);
      throw new Error([error.message, ...said].join("\n"));
    });
  }
  write({});
  await run("start");
  await untilTaken(ports);
  return {
    /** Puts settings over those it began with, and cuts connections off, which go on by the old ones. */
    async set(more: PostfixSettings) {
      write(more);
      await run("abort");
      await run("start");
      await untilTaken(ports);
    },
    stop: () => run("abort"),
  };
}

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { formEvidenceHeader } from "#app/ports.ts";
import { listMessages, releaseMessage } from "#contact/messages.ts";
import { openDatabase } from "#db/open-database.ts";
import { retryFailedDeliveries } from "#mail/outbox.ts";
import { resumeSend } from "#newsletter/sends/sends.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { endProcess } from "#tests/end-process.ts";
import { freePort } from "#tests/free-port.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { createSceneServer } from "#tests/reliability/scene-server.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { sendingSettings } from "#tests/site-server.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";

const monitoring = path.join(import.meta.dirname, "../../deploy/monitoring");
const read = (file: string) => readFileSync(path.join(monitoring, file), "utf8");
const areThere = ["promtool", "prometheus", "prometheus-alertmanager"].every(hasProgram);

type Rules = { groups: { rules: { alert: string }[] }[] };
const alerts = (parse(read("alerts.yaml")) as Rules).groups.flatMap(({ rules }) =>
  rules.map(({ alert }) => alert),
);

test("promtool sees every shipped alert begin by what it is about, and end after it", (context) => {
  if (!areThere) context.skip();
  type Tested = { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] };
  const files = ["alerts.test.yaml", "alerts-of-days.test.yaml"];
  const looks = files
    .flatMap((file) => (parse(read(file)) as { tests: Tested[] }).tests)
    .flatMap(({ alert_rule_test }) => alert_rule_test);
  for (const alert of alerts) {
    const isOn = looks
      .filter(({ alertname }) => alertname === alert)
      .map((look) => !!look.exp_alerts);
    expect(isOn, alert).toEqual(expect.arrayContaining([true]));
    expect(isOn.at(-1), alert).toBe(false);
  }
  const { status, stderr } = spawnSync("promtool", ["test", "rules", ...files], {
    cwd: monitoring,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
});

function replaced(text: string, pairs: [string | RegExp, string][]): string {
  return pairs.reduce((before, [from, to]) => {
    const after = before.replaceAll(from, to);
    if (after === before) throw new Error(`A shipped file has no ${from}`);
    return after;
  }, text);
}

/** The shipped rules with seconds in place of minutes, hours and days. */
function quickRules() {
  return replaced(read("alerts.yaml"), [
    [/\bfor: \d+[mhd]/g, "for: 1s"],
    [/\[\d+[mhd]\]/g, "[5s]"],
    ["> 3600", "> 4"],
    ["86400", "600"],
  ]);
}

/** Prometheus and Alertmanager with the shipped files before these two; gives the names of the alerts that were told. */
async function startMonitoring(metrics: readonly [number, number]) {
  const folder = newFolder();
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const [prometheusPort, managerPort] = [await freePort(), await freePort()];
  // By what they are about too: a copy that misses a scrape and answers again says nothing of the other.
  const told = new Map<string, { name: string; isFiring: boolean }>();
  const receiver = createServer(async (request, response) => {
    type Alert = { fingerprint: string; status: string; labels: { alertname: string } };
    type Told = { alerts: Alert[] };
    const { alerts } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Told;
    for (const { fingerprint, status, labels } of alerts)
      told.set(fingerprint, { name: labels.alertname, isFiring: status === "firing" });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const manager = file(
    "alertmanager.yml",
    `route: { receiver: test, group_by: [alertname, kind, function, instance], group_wait: 0s, group_interval: 1s }
receivers: [{ name: test, webhook_configs: [{ url: "http://127.0.0.1:${port}", send_resolved: true }] }]`,
  );
  const config = file(
    "prometheus.yml",
    replaced(read("prometheus.yml"), [
      ["15s", "500ms"],
      ["/srv/chalkline/current/deploy/monitoring/alerts.yaml", file("alerts.yaml", quickRules())],
      ["127.0.0.1:9093", `127.0.0.1:${managerPort}`],
      ["127.0.0.1:13001", `127.0.0.1:${metrics[0]}`],
      ["127.0.0.1:13002", `127.0.0.1:${metrics[1]}`],
    ]),
  );
  execFileSync("promtool", ["check", "config", config]);
  execFileSync("amtool", ["check-config", manager]);
  const run = (program: string, parameters: string[]) => {
    const child = spawn(program, parameters, { cwd: folder, stdio: "ignore" });
    onTestFinished(async () => void (await endProcess(child, "SIGKILL")));
  };
  onTestFinished(() => void receiver.close());
  const atManager = `--web.listen-address=127.0.0.1:${managerPort}`;
  run("prometheus-alertmanager", [
    ...[`--config.file=${manager}`, "--storage.path=kept", atManager, "--cluster.listen-address="],
  ]);
  const atPrometheus = `--web.listen-address=127.0.0.1:${prometheusPort}`;
  run("prometheus", [`--config.file=${config}`, "--storage.tsdb.path=stored", atPrometheus]);
  const firing = () => [
    ...new Set([...told.values()].filter(({ isFiring }) => isFiring).map(({ name }) => name)),
  ];
  const resolved = () => {
    const names = new Set([...told.values()].map(({ name }) => name));
    return [...names.difference(new Set(firing()))];
  };
  return { firing, resolved };
}

const longTest = { timeout: 240_000 };

test(
  "every shipped alert is told by Alertmanager when its real fault comes, and when it has gone",
  longTest,
  async (context) => {
    if (!areThere) context.skip();
    const cluster = await startPostgresCluster();
    onTestFinished(() => cluster.stop());
    const mailServer = await startMailServer();
    onTestFinished(() => mailServer.close());
    const [metrics, metricsOfOther] = [await freePort(), await freePort()];
    const common = { ...sendingSettings, DATABASE_URL: cluster.url, SMTP_URL: mailServer.url };
    const script = path.join(import.meta.dirname, "watched-server.ts");
    const serverWith = (more: Record<string, string>, openFilesMax?: number) => {
      const settings = { ...common, DATA_DIR: newFolder(), ...more };
      const server = createSceneServer({ script, settings, openFilesMax });
      onTestFinished(() => server.kill());
      return server;
    };
    const dataDir = newFolder();
    const backups = path.join(dataDir, "backups");
    const settings = { METRICS_ADDRESS: `127.0.0.1:${metrics}`, DATA_DIR: dataDir };
    const site = serverWith(settings, 300);
    const otherMetrics = { METRICS_ADDRESS: `127.0.0.1:${metricsOfOther}` };
    const troubled = serverWith({ ...otherMetrics, TROUBLED: "1" });
    await troubled.start();
    const open = await openDatabase({ dataDir: "", databaseUrl: cluster.url });
    onTestFinished(() => open.close());
    const { firing, resolved } = await startMonitoring([metrics, metricsOfOther]);
    const form = (headers: Record<string, string> = {}) =>
      fetch(`${site.origin}/functions/v1/send-contact-email`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: '{"firstName":"D","lastName":"R","email":"d@r.example","message":"Hi"}',
      });
    async function runSql(statement: string) {
      const client = new pg.Client(cluster.url);
      await client.connect();
      await client.query("set default_transaction_read_only = off");
      await client.query(statement);
      await client.query("select pg_reload_conf()");
      await client.end();
    }
    const untilFiring = (...names: string[]) =>
      expect.poll(firing, { timeout: 120_000 }).toEqual(expect.arrayContaining(names));

    // One copy holds too much memory and is behind with its deletions, and the other is not there.
    await untilFiring("ChalklineMemoryHigh", "ChalklineDeletionOverdue", "ChalklineDown");
    await troubled.kill();
    const healthy = serverWith(otherMetrics);
    await Promise.all([site.start(), healthy.start()]);

    // Mail that is refused, a send that nobody takes, a message that nobody looks at, a backup that fails.
    mailServer.mode = "banned";
    await form();
    await addSubscribers(open.db, 20);
    const send = await queueTestSend(open.db);
    await form({ [formEvidenceHeader]: "honeypot; open-for-ms=5000" });
    mkdirSync(backups);
    writeFileSync(path.join(backups, "failed.txt"), "there is no room");
    // As many connections as it may have files.
    const { port } = new URL(site.origin ?? "");
    const sockets = Array.from({ length: 240 }, () => connect(Number(port), "127.0.0.1"));
    for (const socket of sockets) socket.on("error", () => {});
    await untilFiring("ChalklineDeliveriesFailed", "ChalklineSendPaused", "ChalklineHeldWaiting");
    await untilFiring("ChalklineBackupFails", "ChalklineFilesShort");
    for (const socket of sockets) socket.destroy();

    // A mail server that is away, and a processor that is taken from the site.
    await mailServer.goDown();
    await form();
    const starving = setInterval(() => void site.starve(400), 500);
    onTestFinished(() => clearInterval(starving));
    await untilFiring("ChalklineOutboxStuck", "ChalklineEventLoopSlow");
    clearInterval(starving);

    // The database stops, and comes back without taking writes.
    const visitors = setInterval(() => void form().catch(() => {}), 200);
    onTestFinished(() => clearInterval(visitors));
    await cluster.crash(
      untilFiring("ChalklineDatabaseDown", "ChalklineFormsFail", "ChalklineAnswersFail"),
    );
    await runSql("alter system set default_transaction_read_only = on");
    await untilFiring("ChalklineDatabaseErrors");
    await runSql("alter system reset default_transaction_read_only");
    clearInterval(visitors);
    expect([...firing(), ...resolved()].toSorted()).toEqual(alerts.toSorted());

    await mailServer.comeBack();
    mailServer.mode = "accept";
    rmSync(path.join(backups, "failed.txt"));
    await resumeSend(open.db, send);
    const now = new Date();
    await retryFailedDeliveries(open.db, { now });
    for (const { id } of await listMessages(open.db)) {
      await releaseMessage({ db: open.db, now }, { id });
    }
    await expect.poll(firing, { timeout: 120_000 }).toEqual([]);
    expect(resolved().toSorted()).toEqual(alerts.toSorted());
  },
);

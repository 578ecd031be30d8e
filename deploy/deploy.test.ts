import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingNames } from "#contracts/environment.ts";

const root = path.join(import.meta.dirname, "..");
const readDeploy = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");

test("the units are what systemd takes, with every path of theirs there", (context) => {
  if (spawnSync("systemd-analyze", ["--version"]).error) context.skip();
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-units-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runtime = path.join(folder, "current/node_modules/.bin/node");
  mkdirSync(path.dirname(runtime), { recursive: true });
  writeFileSync(runtime, "#!/bin/sh\n", { mode: 0o755 });
  const units = ["chalkline@.service", "chalkline-backup.service", "chalkline-backup.timer"];
  for (const unit of units) {
    const text = readDeploy(`systemd/${unit}`).replaceAll("/srv/chalkline", folder);
    writeFileSync(path.join(folder, unit.replace("@.", "@3001.")), text);
  }
  const files = units.map((unit) => path.join(folder, unit.replace("@.", "@3001.")));
  const checked = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
  expect(checked.stderr.split("\n").filter((line) => line.includes(folder))).toEqual([]);
  expect(checked.status).toBe(0);
});

test("a start without its database ends with 1, which every supervisor here tries again for good", () => {
  const run = spawnSync(
    process.execPath,
    [path.join(root, "tests/reliability/plain-site-server.ts")],
    { env: { PATH: process.env.PATH, DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/none" } },
  );
  expect(run.status).toBe(1);
  const unit = readDeploy("systemd/chalkline@.service");
  for (const line of ["Restart=always", "StartLimitIntervalSec=0", "RestartPreventExitStatus=78"]) {
    expect(unit.split("\n")).toContain(line);
  }
  const { services } = parse(readDeploy("container/compose.yaml"), { merge: true });
  for (const name of ["site1", "site2"]) expect(services[name].restart).toBe("always");
});

test("what the image is made of is there, and what runs in it is what npm start runs", () => {
  const dockerfile = readDeploy("container/Dockerfile");
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/site\/(\S+) /gm)].map(
    ([, it]) => it,
  );
  const built = ["node_modules", "build"];
  for (const place of copied.filter((each = "") => !built.includes(each))) {
    expect(existsSync(path.join(root, place ?? "")), place).toBe(true);
  }
  // All that the server and the commands are made of.
  for (const folder of [
    "backend",
    "cli",
    "content",
    "contracts",
    "issue-body",
    "migrations",
    "server",
  ]) {
    expect(copied).toContain(folder);
  }
  const flags = /node (--max\S+ --heap\S+) server\/start.ts/.exec(scripts.start)?.[1] ?? "none";
  const inImage = flags.split(" ").map((flag) => `"${flag}"`);
  expect(dockerfile).toContain(`CMD [${inImage.join(", ")}, "server/start.ts"]`);
  expect(readDeploy("systemd/chalkline@.service")).toContain(`${flags} server/start.ts`);
  expect(dockerfile).toMatch(/^USER 65532:65532$/m);
});

test("the cluster's manifest runs what the image is, as nobody, with probes of what there is", () => {
  const documents = parseAllDocuments(readDeploy("kubernetes/chalkline.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const objects = documents.map((document) => document.toJS());
  const of = (kind: string) => objects.find((object) => object.kind === kind);
  const labels = { "app.kubernetes.io/name": "chalkline" };
  const { template, selector, replicas } = of("Deployment").spec;
  const [container] = template.spec.containers;
  expect(selector.matchLabels).toEqual(labels);
  expect(template.metadata.labels).toEqual(labels);
  expect(of("Service").spec.selector).toEqual(labels);
  expect(of("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels);
  expect(of("PodDisruptionBudget").spec.minAvailable).toBeLessThan(replicas);
  for (const { labelSelector } of template.spec.topologySpreadConstraints) {
    expect(labelSelector.matchLabels).toEqual(labels);
  }
  expect(container.startupProbe.httpGet.path).toBe("/readyz");
  expect(container.readinessProbe.httpGet.path).toBe("/healthz");
  expect(container.livenessProbe.httpGet.path).toBe("/healthz");
  expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  const set = container.env.map(({ name }: { name: string }) => name);
  expect(new Set(set).isSubsetOf(new Set(settingNames))).toBe(true);
});

test("compose starts two copies, read-only and as nobody, on a database that has room for them", () => {
  const { services, networks, volumes } = parse(readDeploy("container/compose.yaml"), {
    merge: true,
  });
  for (const name of ["site1", "site2"]) {
    const site = services[name];
    expect(site).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(
      existsSync(
        path.join(import.meta.dirname, "container", site.build.context, site.build.dockerfile),
      ),
    ).toBe(true);
    expect(new Set(Object.keys(site.environment)).isSubsetOf(new Set(settingNames))).toBe(true);
    expect(site.environment.TRUSTED_PROXIES).toBe(networks.inside.ipam.config[0].subnet);
  }
  expect(services.database.command.join(" ")).toContain("max_connections=100");
  const named = Object.values(services).flatMap((service) =>
    ((service as { volumes?: string[] }).volumes ?? []).map((volume) => volume.split(":")[0] ?? ""),
  );
  for (const volume of named.filter((name) => !name.startsWith("."))) {
    expect(Object.keys(volumes)).toContain(volume);
  }
  expect(services.caddy.environment.SITE_UPSTREAMS).toBe("site1:3000 site2:3000");
});

test("the workflow runs the project's own checks, and the scripts are ones that a shell can read", () => {
  const workflow = parse(readFileSync(path.join(root, ".github/workflows/check.yml"), "utf8"));
  const runs = workflow.jobs.check.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(runs).toEqual([".ci/run"]);
  expect(workflow.permissions).toEqual({ contents: "read" });
  execFileSync("bash", ["-n", path.join(import.meta.dirname, "release.sh")]);
  execFileSync("sh", ["-n", path.join(import.meta.dirname, "container/leave-out.sh")]);
});

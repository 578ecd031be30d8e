import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingNames } from "#contracts/environment.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { readConfig } from "#server/config.ts";
import { hasProgram } from "../scripts/install-debian-packages.ts";

const root = path.join(import.meta.dirname, "..");
const readDeploy = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");

test("the units are what systemd takes, with every path of theirs there", (context) => {
  if (!hasProgram("systemd-analyze")) context.skip();
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-units-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runtime = path.join(folder, "current/node_modules/.bin/node");
  mkdirSync(path.dirname(runtime), { recursive: true });
  writeFileSync(runtime, "#!/bin/sh\n", { mode: 0o755 });
  const script = path.join(folder, "current/deploy/back-up.sh");
  mkdirSync(path.dirname(script));
  copyFileSync(path.join(import.meta.dirname, "back-up.sh"), script);
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

test("each copy on a machine has an address of its own for its metrics, whatever .env says", () => {
  const ports = /CHALKLINE_PORTS:-([\d ]+)/.exec(readDeploy("release.sh"))?.[1]?.split(" ") ?? [];
  expect(ports).toHaveLength(2);
  const unit = readDeploy("systemd/chalkline@.service");
  const set = /^Environment=METRICS_ADDRESS=(\S+)$/m.exec(unit)?.[1] ?? "";
  const addresses = ports.map((port) => set.replace("%i", port));
  for (const address of addresses) {
    expect(readConfig({ METRICS_ADDRESS: address }), address).toMatchObject({ ok: true });
  }
  const { scrape_configs } = parse(readDeploy("monitoring/prometheus.yml"));
  const site = scrape_configs.find(
    ({ job_name }: { job_name: string }) => job_name === "chalkline",
  );
  expect(site.static_configs[0].targets).toEqual(addresses);
  expect(new Set(addresses).size).toBe(2);
});

test("a copy that may write nothing finds what it would compile kept by its release", (context) => {
  // The script starts the site with nobody's settings.
  if (existsSync(path.join(root, ".env"))) context.skip();
  const runtime = path.join(root, "node_modules/.bin/node");
  execFileSync(runtime, ["scripts/keep-compiled.ts"], { cwd: root });
  const unit = readDeploy("systemd/chalkline@.service");
  const flags = /^ExecStart=\S+node (.+) server\/start.ts$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const kept = /NODE_COMPILE_CACHE=(\S+)/.exec(unit)?.[1];
  // Wrong settings end it after everything is loaded.
  const start = [...flags, "server/start.ts"];
  const env = { NODE_COMPILE_CACHE: kept, PORT: "none", NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
  const { status, stderr } = spawnSync(runtime, start, { cwd: root, env, encoding: "utf8" });
  expect(status).toBe(78);
  expect(stderr.split(" success, size=").length).toBeGreaterThan(200);
  // How a file is told that isn't there, or is of other sources. The end may cut off one that a thread is reading.
  expect(stderr.match(/no such file or directory|mismatch: expected/g) ?? []).toEqual([]);
  for (const started of ["container/Dockerfile", "../package.json"]) {
    expect(readDeploy(started)).toContain(`NODE_COMPILE_CACHE=${kept} `);
  }
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
    "api",
    "cli",
    "contact",
    "content",
    "contracts",
    "db",
    "issue-body",
    "mail",
    "newsletter",
    "server",
  ]) {
    expect(copied).toContain(folder);
  }
  const flags = /bin\/node (--\S+(?: --\S+)*) server\/start.ts/.exec(scripts.start)?.[1] ?? "none";
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

test("what the commands of the page on deploying take is there", () => {
  const page = readFileSync(path.join(root, "docs/deploying.md"), "utf8");
  const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = ""]) => text).join("");
  const named = [...commands.matchAll(/(?:repository|current)\/(deploy\/[\w./@*-]+)/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, file = ""] of named) expect(globSync(file, { cwd: root }), file).not.toEqual([]);
  // Compose finds no file of its own in the project's folder.
  const composed = [...page.matchAll(/docker compose (\S+) ([\w./-]+)/g)];
  expect(composed).not.toEqual([]);
  for (const [command, option, file = ""] of composed) {
    expect([option, existsSync(path.join(root, file))], command).toEqual(["-f", true]);
  }
});

test("what the page on scale takes over from that on performance is what stands there", () => {
  const [scale, performance] = ["scale", "performance"].map((page) =>
    readFileSync(path.join(root, `docs/${page}.md`), "utf8"),
  ) as [string, string];
  const [table = ""] = scale.split("## What one process does")[1]?.split("\n## ") ?? [];
  const taken = table.match(/(?<![\d.,])(?:\d+(?:,\d{3})+|\d+ (?:ms|MB))/g) ?? [];
  expect(taken.length).toBeGreaterThan(7);
  for (const figure of taken) expect(performance).toContain(figure);
});

test("the workflow runs the project's own checks, and the scripts are ones that a shell can read", () => {
  const workflow = parse(readFileSync(path.join(root, ".github/workflows/check.yml"), "utf8"));
  const runs = workflow.jobs.check.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(runs).toEqual([".ci/run"]);
  expect(workflow.permissions).toEqual({ contents: "read" });
  for (const script of ["release.sh", "back-up.sh"]) {
    execFileSync("bash", ["-n", path.join(import.meta.dirname, script)]);
  }
  for (const script of ["site.sh", "container/leave-out.sh"]) {
    execFileSync("sh", ["-n", path.join(import.meta.dirname, script)]);
  }
});

test("the image has of its packages what Node can load, their data and their licences", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kept = ["a/LICENSE", "a/index.js", "a/latest/index.mjs", "a/names.json", "node-x/bin/node"];
  const left = ["a/index.d.ts", "a/src/index.ts", "a/test/perf/100k", "a/index.js.map", "a/README"];
  for (const file of [...kept, ...left, "node-x/include/node.h"]) {
    mkdirSync(path.dirname(path.join(folder, "packages", file)), { recursive: true });
    writeFileSync(path.join(folder, "packages", file), "");
  }
  writeFileSync(path.join(folder, "strip"), "#!/bin/sh\n", { mode: 0o755 });
  execFileSync("sh", [path.join(import.meta.dirname, "container/leave-out.sh"), "packages"], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  const packages = path.join(folder, "packages");
  const files = globSync("**", { cwd: packages, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(packages, path.join(parentPath, name)));
  expect(files.toSorted()).toEqual(kept);
});

test("the scripts have none of the mistakes that shellcheck knows", (context) => {
  if (!hasProgram("shellcheck")) context.skip();
  const scripts = globSync("**/*.sh", { cwd: import.meta.dirname });
  expect(scripts.length).toBeGreaterThan(3);
  const { stdout } = spawnSync("shellcheck", ["--severity=warning", ...scripts], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

test("Caddy takes its file, as it is and as Compose sets it", (context) => {
  if (!hasProgram("caddy")) context.skip();
  const home = mkdtempSync(path.join(tmpdir(), "chalkline-caddy-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = path.join(import.meta.dirname, "caddy/Caddyfile");
  const inCompose = {
    SITE_ADDRESS: "www.site.ca",
    SITE_OTHER_ADDRESS: "site.ca",
    SITE_UPSTREAMS: "site1:3000 site2:3000",
  };
  for (const set of [{}, inCompose]) {
    const { status, stderr } = spawnSync(
      "caddy",
      ["validate", "--adapter", "caddyfile", "--config", file],
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: home, ...set } },
    );
    expect(status, stderr).toBe(0);
  }
});

test("a command of the operator's runs in the release that is in use, from any folder", () => {
  const home = mkdtempSync(path.join(tmpdir(), "chalkline-machine-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, "releases/a"), { recursive: true });
  symlinkSync(path.join(home, "releases/a"), path.join(home, "current"));
  const programs = path.join(home, "programs");
  mkdirSync(programs);
  writeFileSync(
    path.join(programs, "npm"),
    '#!/bin/sh\npwd -P; echo "$# $*"; echo "$PORT"; exit 7\n',
    {
      mode: 0o755,
    },
  );
  const command = path.join(home, "chalkline");
  symlinkSync(path.join(import.meta.dirname, "site.sh"), command);
  const { status, stdout } = spawnSync(command, ["issues", "send", "3", "--at", "a b"], {
    cwd: "/",
    encoding: "utf8",
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      CHALKLINE_HOME: home,
      CHALKLINE_USER: userInfo().username,
    },
  });
  const [folder = "", words, port] = stdout.split("\n");
  expect(path.relative(realpathSync(home), folder)).toBe(path.join("releases", "a"));
  expect(words).toBe("9 run --silent site -- issues send 3 --at a b");
  // Of the first copy, which doctor asks.
  expect(port).toBe("3001");
  expect(status).toBe(7);
});

/** A machine with releases that are built already; the last but one is in use, and the newest is the repository's. */
function makeMachine(names: string[]) {
  const home = mkdtempSync(path.join(tmpdir(), "chalkline-machine-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: home, encoding: "utf8" }).trim();
  git("init", "--quiet", "--initial-branch=main", "origin");
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  git("-C", "origin", ...author, "commit", "--quiet", "--allow-empty", "--message=One");
  git("clone", "--quiet", "origin", "repository");
  const newest = git("-C", "repository", "rev-parse", "HEAD").slice(0, 12);
  const releases = [...names, newest].map((name, n) => {
    const folder = path.join(home, "releases", name);
    const assets = path.join(folder, "build/client/assets");
    mkdirSync(assets, { recursive: true });
    const own = `root-${name}.js`;
    writeFileSync(path.join(assets, own), name);
    writeFileSync(path.join(folder, ".assets"), `${own}\n`);
    writeFileSync(path.join(folder, ".finished"), "");
    utimesSync(folder, 1_000 + n, 1_000 + n);
    return folder;
  });
  const current = path.join(home, "current");
  let said = "";
  symlinkSync(releases.at(-2) ?? "", current);
  return {
    newest,
    release(restart: string, ...words: string[]) {
      const { status, stderr } = spawnSync(
        "bash",
        [path.join(import.meta.dirname, "release.sh"), ...words],
        {
          encoding: "utf8",
          env: {
            PATH: process.env.PATH,
            CHALKLINE_HOME: home,
            CHALKLINE_USER: userInfo().username,
            // No copies, so none has to become ready; or one whose restart fails.
            CHALKLINE_PORTS: restart === "true" ? " " : "3001",
            CHALKLINE_RESTART: restart,
          },
        },
      );
      said = stderr;
      return status;
    },
    said: () => said,
    runs: () => path.basename(readlinkSync(current)),
    assets: () => readdirSync(path.join(current, "build/client/assets")).toSorted(),
    kept: () => readdirSync(path.join(home, "releases")).toSorted(),
  };
}

test("a release brings the files of the one before along, and of no older one", () => {
  const machine = makeMachine(["a", "b", "c"]);
  expect(machine.release("true")).toBe(0);
  expect(machine.runs()).toBe(machine.newest);
  expect(machine.assets()).toEqual([`root-${machine.newest}.js`, "root-c.js"].toSorted());
  expect(machine.kept()).toEqual(["b", "c", machine.newest].toSorted());
  expect(machine.release("true", "--back")).toBe(0);
  expect(machine.runs()).toBe("c");
  expect(machine.assets()).toEqual([`root-${machine.newest}.js`, "root-c.js"].toSorted());
});

test("what can't be released is named, and nothing is changed", () => {
  const machine = makeMachine(["a"]);
  expect(machine.release("true", "v9.9.9")).not.toBe(0);
  expect(machine.said()).toContain("There is no v9.9.9 in ");
  expect(machine.runs()).toBe("a");
});

test("going back leads to no release that didn't start or that was left", () => {
  const machine = makeMachine(["a", "b"]);
  expect(machine.release("false")).toBe(1);
  expect(machine.runs()).toBe("b");
  expect(machine.release("true", "--back")).toBe(0);
  expect(machine.runs()).toBe("a");

  const other = makeMachine(["a", "b", "c"]);
  expect(other.release("true")).toBe(0);
  expect(other.release("true", "--back")).toBe(0);
  expect(other.runs()).toBe("c");
  expect(other.release("true", "--back")).toBe(0);
  expect(other.runs()).toBe("b");
});

test.each([
  { database: "SQLite", ending: "sqlite" },
  { database: "PostgreSQL", ending: "dump" },
])(
  "a backup of $database is there when it is whole, without those that are too old",
  ({ database, ending }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "chalkline-backups-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [backups, programs, data] = ["backups", "programs", "data"].map((name) => {
      mkdirSync(path.join(folder, name));
      return path.join(folder, name);
    }) as [string, string, string];
    copyFileSync(inject("sqliteTemplate"), path.join(data, sqliteFileName));
    // Debian's pg_dump refuses a server that is newer than itself, as that of the tests is: what it is told is looked at.
    const notes = path.join(folder, "notes");
    for (const [name, body] of [
      ["pg_dump", `echo "$PGPASSWORD $*" >>"${notes}"; echo dump >"\${3#--file=}"`],
      ["pg_restore", 'grep -q dump "$2" && [ -z "$DAMAGED" ]'],
    ] as const) {
      writeFileSync(path.join(programs, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const isPostgres = database === "PostgreSQL";
    const backUp = (env = {}) =>
      spawnSync("bash", [path.join(import.meta.dirname, "back-up.sh"), backups], {
        encoding: "utf8",
        env: {
          PATH: `${programs}:${process.env.PATH}`,
          DATA_DIR: data,
          DATABASE_URL: isPostgres ? "postgres://site:p%40ss@127.0.0.1:5432/chalkline" : "",
          ...env,
        },
      });
    const old = path.join(backups, `site-2026-01-01-0415.${ending}`);
    writeFileSync(old, "");
    utimesSync(old, 0, 0);
    if (isPostgres) {
      expect(backUp({ DAMAGED: "1" }).status).not.toBe(0);
      expect(readdirSync(backups)).toEqual([path.basename(old)]);
    }
    const { status, stderr } = backUp();
    expect(status, stderr).toBe(0);
    expect(readdirSync(backups)).toEqual([
      expect.stringMatching(new RegExp(`^site-\\d{4}-\\d\\d-\\d\\d-\\d{4}\\.${ending}$`)),
    ]);
    if (!isPostgres) return;
    const [password, ...words] = readFileSync(notes, "utf8").split("\n")[0]?.split(" ") ?? [];
    expect(password).toBe("p@ss");
    expect(words).toContain("--no-owner");
    expect(words).toContain("--dbname=postgres://site@127.0.0.1:5432/chalkline");
  },
);

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startShippedCaddy } from "#tests/shipped-caddy.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../scripts/install-debian-packages.ts";

const root = path.join(import.meta.dirname, "..");
const readDeploy = (file: string) => fs.readFileSync(path.join(import.meta.dirname, file), "utf8");

test("systemd accepts the units, and every path they name exists", (context) => {
  if (!hasProgram("systemd-analyze")) context.skip();
  const folder = newFolder();
  const runtime = path.join(folder, "current/node_modules/.bin/node");
  fs.mkdirSync(path.dirname(runtime), { recursive: true });
  fs.writeFileSync(runtime, "#!/bin/sh\n", { mode: 0o755 });
  const units = ["chalkline@.service", "chalkline-desk.service"];
  for (const unit of units) {
    const text = readDeploy(`systemd/${unit}`).replaceAll("/srv/chalkline", folder);
    fs.writeFileSync(path.join(folder, unit.replace("@.", "@3001.")), text);
  }
  const files = units.map((unit) => path.join(folder, unit.replace("@.", "@3001.")));
  const checked = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
  expect(checked.stderr.split("\n").filter((line) => line.includes(folder))).toEqual([]);
  expect(checked.status).toBe(0);
});

test("exits with 1 without its database, so that a supervisor restarts it", () => {
  const run = spawnSync(
    process.execPath,
    [path.join(root, "tests/reliability/plain-site-server.ts")],
    { env: { PATH: process.env.PATH, DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/none" } },
  );
  expect(run.status).toBe(1);
});

test("the image has every room that its server and commands reach", () => {
  const copied = readDeploy("container/Dockerfile").matchAll(
    /(?<=^COPY --from=build .*)\/site\/(?!node_modules|build)([\w./-]+)(?= )/gm,
  );
  const rooms = [...copied].map(([, room = ""]) => room);
  // The pages and the desk are built.
  const sources = fs
    .globSync(`{${rooms.join(",")}}{,/**/*.{ts,mjs}}`, { cwd: root })
    .filter((file) => /(?<!\.test)\.(?:ts|mjs)$/.test(file) && !file.startsWith("server/dev"));
  const reached = sources.flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    return [...text.matchAll(/^(?!import type).* from "#(\w[^"]+)"/gm)].map(([, to = ""]) => to);
  });
  expect(reached.length).toBeGreaterThan(100);
  expect(reached.filter((to) => !rooms.some((room) => to.startsWith(room)))).toEqual([]);
});

test("the built site and desk ask for no package that a release doesn't install", () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const built = fs.globSync("build/{server,desk/server}/**/*.js", { cwd: root });
  expect(built.length).toBeGreaterThan(1);
  const asked = built.flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    const imports = text.matchAll(
      /^(?:import|export) (?:[^"']* from )?["']((?:@[^/"']+\/)?[^/"'#.]+)/gm,
    );
    return [...imports].map(([, name = ""]) => name);
  });
  expect(asked).toContain("react-router");
  const isOurs = (name: string) => name in dependencies || name.startsWith("node:");
  expect([...new Set(asked)].filter((name) => !isOurs(name))).toEqual([]);
});

test("shellcheck finds no mistake in the scripts", (context) => {
  if (!hasProgram("shellcheck")) context.skip();
  const scripts = fs.globSync("**/*.sh", { cwd: import.meta.dirname });
  expect(scripts.length).toBeGreaterThan(3);
  const { stdout } = spawnSync("shellcheck", ["--severity=warning", ...scripts], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

test("Caddy accepts its file, as shipped and with the variables of Compose", (context) => {
  if (!hasProgram("caddy")) context.skip();
  const home = newFolder();
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

test("Caddy refuses an oversized form as too large, and passes a long one on", async (context) => {
  if (!hasProgram("caddy")) context.skip();
  const upstream = createServer((_, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  onTestFinished(() => void upstream.close());
  const { port } = await startShippedCaddy([(upstream.address() as AddressInfo).port]);
  const send = async (bytes: number) => {
    const body = "x".repeat(bytes);
    const sent = fetch(`http://127.0.0.1:${port}/contact`, { method: "POST", body });
    return await sent.then(
      ({ status }) => status,
      () => 0,
    );
  };
  await expect.poll(() => send(100_000)).toBe(200);
  expect(await send(131_000)).toBe(413);
  expect(await send(200_000)).toBe(413);
});

test("an operator's command runs in the current release, from any folder", () => {
  const home = newFolder();
  fs.mkdirSync(path.join(home, "releases/a"), { recursive: true });
  fs.symlinkSync(path.join(home, "releases/a"), path.join(home, "current"));
  const programs = path.join(home, "programs");
  fs.mkdirSync(programs);
  fs.writeFileSync(
    path.join(programs, "npm"),
    '#!/bin/sh\npwd -P; echo "$# $*"; echo "$PORT"; exit 7\n',
    {
      mode: 0o755,
    },
  );
  const command = path.join(home, "chalkline");
  fs.symlinkSync(path.join(import.meta.dirname, "site.sh"), command);
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
  expect(path.relative(fs.realpathSync(home), folder)).toBe(path.join("releases", "a"));
  expect(words).toBe("9 run --silent site -- issues send 3 --at a b");
  // Doctor asks the first instance.
  expect(port).toBe("3001");
  expect(status).toBe(7);
});

test("one command makes an empty machine the site's, and again changes no setting", () => {
  const machine = makeMachine(["a", "b"]);
  const { home } = machine;
  const [programs, etc, bin] = ["programs", "etc", "bin"].map((name) => path.join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [programs, bin, `${etc}/systemd/system`, `${etc}/caddy`])
    fs.mkdirSync(folder, { recursive: true });
  const notes = path.join(home, "notes");
  for (const name of ["apt-get", "systemctl", "npm", "swapon", "mkswap", "fallocate", "chown"])
    fs.writeFileSync(path.join(programs, name), `#!/bin/sh\necho "${name} $*" >>${notes}\n`, {
      mode: 0o755,
    });
  // The memory and swap of the smallest machine, after its swap file too.
  fs.writeFileSync(path.join(programs, "awk"), "#!/bin/sh\necho 1550000\n", { mode: 0o755 });
  fs.cpSync(import.meta.dirname, path.join(home, "repository/deploy"), { recursive: true });
  for (const release of ["a", "b", machine.newest])
    fs.cpSync(import.meta.dirname, path.join(home, "releases", release, "deploy"), {
      recursive: true,
    });
  const setUp = (...words: string[]) =>
    spawnSync("bash", [path.join(home, "repository/deploy/set-up.sh"), ...words], {
      encoding: "utf8",
      env: {
        PATH: `${programs}:${process.env.PATH}`,
        CHALKLINE_HOME: home,
        CHALKLINE_USER: userInfo().username,
        CHALKLINE_ETC: etc,
        CHALKLINE_BIN: bin,
        CHALKLINE_PORTS: " ",
      },
    });
  for (const wrong of ["https://northline.ca", "www.northline.ca", "northline", "North.ca"]) {
    expect(setUp(wrong, "Nora North").stderr).toContain("The domain is small letters alone");
  }
  expect(fs.existsSync(notes)).toBe(false);
  const first = setUp("northline.ca", "Nora North");
  expect(first.status, first.stderr).toBe(0);
  expect(first.stdout).toContain("https://www.northline.ca is up");
  expect(fs.readFileSync(notes, "utf8")).toMatch(
    /npm run --silent site -- desk invite Nora North\n$/,
  );
  const settings = path.join(home, ".env");
  expect(fs.readFileSync(settings, "utf8")).toContain(
    "SITE_URL=https://www.northline.ca\nDESK_ADDRESS=https://desk.northline.ca\n",
  );
  expect(fs.statSync(settings).mode & 0o777).toBe(0o600);
  const caddyfile = fs.readFileSync(path.join(etc, "caddy/Caddyfile"), "utf8");
  expect(caddyfile).toContain("{$DESK_ADDRESS:https://desk.northline.ca}");
  expect(caddyfile).not.toContain("example.com");
  expect(fs.existsSync(path.join(etc, "systemd/system/chalkline@.service"))).toBe(true);

  fs.writeFileSync(settings, "SITE_URL=https://www.northline.ca\nLOG_LEVEL=warn\n");
  expect(setUp("northline.ca", "Nora North").status).toBe(0);
  expect(fs.readFileSync(settings, "utf8")).toContain("LOG_LEVEL=warn");
  expect(fs.readFileSync(path.join(etc, "fstab"), "utf8")).toBe("/swapfile none swap sw 0 0\n");
  expect(fs.readFileSync(notes, "utf8").match(/^(fallocate|mkswap|swapon) .*$/gm)).toEqual([
    "fallocate -l 1G /swapfile",
    "mkswap /swapfile",
    "swapon /swapfile",
  ]);

  // A container, or a file system that can't hold it.
  fs.writeFileSync(path.join(etc, "fstab"), "");
  fs.writeFileSync(path.join(programs, "swapon"), "#!/bin/sh\nexit 255\n", { mode: 0o755 });
  const without = setUp("northline.ca", "Nora North");
  expect(without.status, without.stderr).toBe(0);
  expect(without.stderr).toContain("This machine takes no swap file");
  expect(fs.readFileSync(path.join(etc, "fstab"), "utf8")).toBe("");
});

/** A machine with releases that are built already; the last but one is in use, and the newest is the repository's. */
function makeMachine(names: string[]) {
  const home = newFolder();
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: home, encoding: "utf8" }).trim();
  git("init", "--quiet", "--initial-branch=main", "origin");
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  git("-C", "origin", ...author, "commit", "--quiet", "--allow-empty", "--message=One");
  git("clone", "--quiet", "origin", "repository");
  const newest = git("-C", "repository", "rev-parse", "HEAD").slice(0, 12);
  const releases = [...names, newest].map((name, n) => {
    const folder = path.join(home, "releases", name);
    const own = ["build/client/assets", "build/desk/client/assets"].map((assets) => {
      fs.mkdirSync(path.join(folder, assets), { recursive: true });
      fs.writeFileSync(path.join(folder, assets, `root-${name}.js`), name);
      return `${assets}/root-${name}.js\n`;
    });
    fs.writeFileSync(path.join(folder, ".assets"), own.join(""));
    fs.writeFileSync(path.join(folder, ".finished"), "");
    fs.utimesSync(folder, 1_000 + n, 1_000 + n);
    return folder;
  });
  const current = path.join(home, "current");
  let said = "";
  fs.symlinkSync(releases.at(-2) ?? "", current);
  const command = (restart: string, words: string[]) =>
    [
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
    ] as const;
  return {
    home,
    newest,
    git: (...words: string[]) => git(...author, "-C", ...words),
    release(restart: string, ...words: string[]) {
      const { status, stderr, stdout } = spawnSync(...command(restart, words));
      said = stdout + stderr;
      return status;
    },
    begin: () => spawn(...command("true", [])),
    said: () => said,
    runs: () => path.basename(fs.readlinkSync(current)),
    assets: (of: "client" | "desk/client") =>
      fs.readdirSync(path.join(current, "build", of, "assets")).toSorted(),
    kept: () => fs.readdirSync(path.join(home, "releases")).toSorted(),
  };
}

test("a release keeps the site's and the desk's files of the one before it, and of no older one", () => {
  const machine = makeMachine(["a", "b", "c"]);
  const both = [`root-${machine.newest}.js`, "root-c.js"].toSorted();
  expect(machine.release("true")).toBe(0);
  expect(machine.runs()).toBe(machine.newest);
  for (const of of ["client", "desk/client"] as const) expect(machine.assets(of)).toEqual(both);
  expect(machine.kept()).toEqual(["b", "c", machine.newest].toSorted());
  expect(machine.release("true", "--back")).toBe(0);
  expect(machine.runs()).toBe("c");
  expect(machine.assets("client")).toEqual(both);
});

test("a branch or tag that was renamed or moved upstream is said, and nothing older runs in its place", () => {
  const machine = makeMachine(["a"]);
  const { git } = machine;
  git("origin", "tag", "v1");
  git("origin", "branch", "stable");
  expect(machine.release("true", "v1")).toBe(0);
  expect(machine.said()).toMatch(/Ran before: a\.\nRuns now: \w+ of [\d-]+, "One"\./);

  git("origin", "branch", "--move", "main", "trunk");
  for (const words of [[], ["main"]]) {
    expect(machine.release("true", ...words)).toBe(1);
    expect(machine.said()).toMatch(
      words.length > 0 ? "There is no branch, tag or commit main" : "The branch main is gone",
    );
  }
  git("repository", "switch", "--quiet", "stable");
  expect(machine.release("true")).toBe(0);
  expect(machine.release("true", "trunk")).toBe(0);

  git("origin", "commit", "--quiet", "--allow-empty", "--message=Two");
  git("origin", "tag", "--force", "v1");
  expect(machine.release("true")).toBe(1);
  expect(machine.said()).toMatch(/v1.*would clobber existing tag[\s\S]*Nothing is released/);
  expect(machine.runs()).toBe(machine.newest);
});

test("a release waits for another that is under way", async () => {
  const machine = makeMachine(["a"]);
  const lock = path.join(machine.home, ".release.lock");
  const other = spawn("flock", [lock, "sh", "-c", "echo held; read line"]);
  await once(other.stdout, "data");
  const release = machine.begin();
  const [words] = await once(release.stderr, "data");
  expect(String(words)).toContain("Another release is under way");
  expect(machine.runs()).toBe("a");
  other.stdin.end();
  expect(await once(release, "exit")).toEqual([0, null]);
  expect(machine.runs()).toBe(machine.newest);
});

test("going back never leads to a release that failed to start or was left", () => {
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

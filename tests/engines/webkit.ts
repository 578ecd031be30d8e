import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Builder, Capabilities, Key, type WebDriver } from "selenium-webdriver";
import type { WebKit } from "../../scripts/browsers.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { patienceMs } from "../patience.ts";
import { scriptsAreUp } from "../scripts-are-up.ts";
import { type KeyName, middleOf, type Tab, type TabOptions } from "./tab.ts";

const keys: Record<KeyName, string> = {
  Tab: Key.TAB,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  ArrowLeft: Key.ARROW_LEFT,
};

/** GTK's widgets without their padding: the window's own bar would keep it wider than the narrowest phone. */
const bareTheme = "* { padding: 0; margin: 0; min-width: 0; border-width: 0; font-size: 2px; }\n";

const screenSizePx = "1920x1400x24";
const pollMs = 50;

/** WebKit writes a console message as its origin, its kind and its words. */
const complaint = /^CONSOLE .*\b(?:ERROR|WARN)\b.*$/gm;

/** WebKit's GTK port over WebDriver, on a screen that nobody sees. */
export async function openWebKit(webKit: WebKit, { scripts = true }: TabOptions): Promise<Tab> {
  const home = await mkdtemp(path.join(tmpdir(), "chalkline-webkit-"));
  await mkdir(path.join(home, "themes/Bare/gtk-3.0"), { recursive: true });
  await writeFile(path.join(home, "themes/Bare/gtk-3.0/gtk.css"), bareTheme);
  const screen = spawn(
    webKit.screen,
    ["-displayfd", "1", "-screen", "0", screenSizePx, "-nolisten", "tcp"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const [display] = (await once(screen.stdout, "data")) as [Buffer];
  const port = await freePort();
  const server = spawn(webKit.driver, [`--port=${port}`, "--host=127.0.0.1"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      DISPLAY: `:${display.toString().trim()}`,
      XDG_DATA_HOME: home,
      GTK_THEME: "Bare",
      GDK_BACKEND: "x11",
      TZ: "America/Toronto",
      // There is neither a graphics card nor, as root in a container, a sandbox to be had.
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
  });
  let written = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  const driver = await connect(port, webKit.browser, scripts);

  async function close() {
    await driver.quit();
    await Promise.all([endProcess(server), endProcess(screen)]);
    await rm(home, { recursive: true, force: true });
  }
  return {
    ...windowOf(driver, scripts),
    complaints: async () => written.match(complaint) ?? [],
    close,
  };
}

function windowOf(driver: WebDriver, scripts: boolean): Omit<Tab, "complaints" | "close"> {
  const run: Tab["run"] = async (script, ...parameters) => {
    const source = `
      const [parameters, done] = arguments;
      Promise.resolve().then(() => (${script})(...parameters)).then(
        (answer) => done({ answer }),
        (error) => done({ error: String(error) }),
      );`;
    const { answer, error } = await driver.executeAsyncScript<{ answer: never; error?: string }>(
      source,
      parameters,
    );
    if (error !== undefined) throw new Error(error);
    return answer;
  };
  let barPx: number | null = null;
  async function resize(width: number, height = 900): Promise<void> {
    const window = driver.manage().window();
    // The window has a bar of its own above the page.
    barPx ??= (await window.getRect()).height - (await run(() => innerHeight));
    await window.setRect({ width, height: height + barPx });
    const isSo = (wide: number, high: number) => innerWidth === wide && innerHeight === high;
    await driver.wait(() => run(isSo, width, height), patienceMs);
  }
  return {
    async open(address) {
      await driver.get(address);
      if (scripts) await driver.wait(() => run(scriptsAreUp), patienceMs);
    },
    run,
    inject: (source) => driver.executeScript(source),
    resize,
    press: (key) => driver.actions().sendKeys(keys[key]).perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async click(selector) {
      const { x, y } = await middleOf(run, selector);
      // The driver accepts no fraction of a pixel.
      const middle = { x: Math.round(x), y: Math.round(y) };
      await driver.actions().move(middle).click().perform();
    },
    async screenshot() {
      // It takes the window alone, so the window becomes the page; and waits for good where there is nothing to scroll.
      const [width, height] = await run(() => {
        const page = document.documentElement;
        const size = [page.clientWidth, page.scrollHeight] as const;
        page.style.minHeight = "calc(100vh + 1px)";
        return size;
      });
      await resize(width, height);
      return Buffer.from(await driver.takeScreenshot(), "base64");
    },
  };
}

async function connect(port: number, binary: string, scripts: boolean): Promise<WebDriver> {
  const args = ["--automation", "--enable-write-console-messages-to-stdout=true"];
  // The driver's own scripts still run.
  if (!scripts) args.push("--enable-javascript-markup=false");
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    timeouts: { script: patienceMs },
    "webkitgtk:browserOptions": { binary, args },
  });
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(capabilities)
        .build();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(pollMs);
    }
  }
}

import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fillIn, leastWritten, sendButton } from "./contact-form.ts";
import { makeMemoryFolder } from "./memory-folder.ts";
import { newAddress } from "./new-address.ts";
import { startSiteServer } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

const projectRoot = path.join(import.meta.dirname, "..");
const assets = "build/client/assets";

/** A release of the site in a folder of its own, whose page script has another name than the build's. */
async function makeRelease(name: string) {
  const folder = await makeMemoryFolder("chalkline-release-");
  const linked = ["node_modules", "tests"];
  for (const entry of readdirSync(projectRoot)) {
    if (linked.includes(entry))
      symlinkSync(path.join(projectRoot, entry), path.join(folder, entry));
    else if (!/^(?:\.|docs|bench|deploy|scripts|test-results|build[.])/.test(entry))
      cpSync(path.join(projectRoot, entry), path.join(folder, entry), { recursive: true });
  }
  const scripts = readdirSync(path.join(folder, assets)).filter((file) =>
    /^entry\.client-.*\.js/.test(file),
  );
  const former = scripts[0]?.replace(/\.js.*/, "") ?? "";
  const rename = (file: string) => file.replace(former, `entry.client-${name}`);
  for (const file of scripts)
    renameSync(path.join(folder, assets, file), path.join(folder, assets, rename(file)));
  const server = path.join(folder, "build/server/index.js");
  writeFileSync(server, readFileSync(server, "utf8").replaceAll(former, `entry.client-${name}`));
  return folder;
}

// Record 0037: deploy/release.sh keeps the files of the release before. Elsewhere, such as with a container, they are gone.
for (const keepsFiles of [true, false]) {
  test(`a page that was open before a release ${keepsFiles ? "with" : "without"} its files works under the first hand, and sends what was typed once`, async ({
    page,
    context,
    expectConsole,
  }) => {
    const [former, next] = [await makeRelease("former00"), await makeRelease("nextnext")];
    const site = await startSiteServer({}, "sqlite", former);
    try {
      // Else the browser has fetched the script by now, and asks nobody.
      await context.addInitScript(() => {
        Object.defineProperty(navigator, "connection", { value: { saveData: true } });
      });
      const open = (path: string) => page.goto(site.url + path, { waitUntil: "domcontentloaded" });
      const tabs = await context.newPage();
      await tabs.goto(`${site.url}/use-cases`, { waitUntil: "load" });
      await open("/contact");
      await page.waitForLoadState("load");
      if (keepsFiles) {
        cpSync(path.join(former, assets), path.join(next, assets), { recursive: true });
      } else expectConsole(/404/);
      await site.stop();
      await site.start(next);

      const address = newAddress();
      await fillIn(page, { ...leastWritten, Email: address });
      const script = page.locator("html[data-alive]");
      if (keepsFiles) await script.waitFor();
      await expect(page.getByLabel("Message", { exact: true })).toHaveValue(leastWritten.Message);
      await sendButton(page).click();
      await expect(page.locator(".received-order")).toContainText(address);
      await site.messageFrom(address);
      expect(site.mails().filter(({ replyTo }) => replyTo?.[0]?.address === address)).toHaveLength(
        1,
      );

      const tab = tabs.getByRole("tab", { name: "Real Estate" });
      await tab.click();
      await expect(tab).toHaveAttribute("aria-selected", `${keepsFiles}`);
      await expect(tab).not.toHaveAttribute("aria-busy");
      // The document of the new release has the new script.
      await tabs.reload();
      await tab.click();
      await expect(tabs.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
      expect(await tabs.content()).toContain("entry.client-nextnext");
    } finally {
      await site.close();
      for (const folder of [former, next]) rmSync(folder, { recursive: true, force: true });
    }
  });
}

import { domainToASCII } from "node:url";
import { expect, test } from "./engine-test.ts";
import { accessibilityFaults, fill, type Tab } from "./tab.ts";

const stamp = () => document.querySelector("#received-stamp")?.textContent ?? "";
const noticeTitle = () => document.querySelector(".notice-title")?.textContent ?? "";

/** Axe looks only at what is new in these states: pages.ts has it look at the whole page. */
const changed = {
  message: ["#contact-form", ".notice"],
  received: [".received-order", ".notice"],
};

/** A worker's tests share the tab, and another test left its own address, size and complaints. */
async function openAt(tab: Tab, width: number, address: string) {
  await tab.resize(width, 800);
  await tab.open(address);
}

async function write(tab: Tab, fields: { firstName: string; email: string; message: string }) {
  for (const [field, text] of Object.entries({ ...fields, lastName: "Lake" })) {
    await fill(tab, `#${field}`, text);
  }
}

test("the menu opens and closes by the keyboard, on the bar's edge and as high as its links", async ({
  tab,
  site,
}) => {
  await openAt(tab, 390, `${site.url}/pricing`);
  await tab.click(".menu-toggle");
  const isOpen = () => document.querySelector(".site-menu")?.matches(":popover-open") ?? false;
  await expect.poll(() => tab.run(isOpen)).toBe(true);
  const gap = await tab.run(() => {
    const edge = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    return (edge(".site-menu")?.top ?? 0) - (edge(".site-header-bar")?.bottom ?? 0);
  });
  expect(Math.abs(gap)).toBeLessThanOrEqual(1);
  const heights = () =>
    [...document.querySelectorAll(".site-menu a")].map(
      (link) => link.getBoundingClientRect().height,
    );
  expect(Math.max(...(await tab.run(heights)))).toBeLessThan(64);
  await tab.press("Escape");
  await expect.poll(() => tab.run(isOpen)).toBe(false);
});

test("an empty message leads to its first field, below the bar", async ({ tab, site }) => {
  await openAt(tab, 390, `${site.url}/contact`);
  await tab.click(".order-send button");
  await expect.poll(() => tab.run(noticeTitle)).toBe("Missing Information");
  const barEnd = () => document.querySelector(".site-header")?.getBoundingClientRect().bottom ?? 0;
  const labelTop = () => {
    const label = document.querySelector("label[for=firstName]");
    return label?.getBoundingClientRect().top ?? -1;
  };
  await expect.poll(() => tab.run(() => document.activeElement?.id)).toBe("firstName");
  expect(await tab.run(labelTop)).toBeGreaterThanOrEqual(await tab.run(barEnd));
  expect.soft(await accessibilityFaults(tab, changed.message), "axe").toEqual([]);
});

/** The international domain is written as people do; mail servers know it otherwise. */
function addressAt(host: string) {
  const name = `info-${test.info().project.name}`;
  return { written: `${name}@${host}`, mailed: `${name}@${domainToASCII(host)}` };
}

test("a message that is written by the keyboard arrives", async ({ tab, site }) => {
  await openAt(tab, 1440, `${site.url}/contact`);
  const { written, mailed } = addressAt("grünwald.example");
  const message = "Seven quotes a week, by hand.";
  await write(tab, { firstName: "Ada", email: written, message });
  await tab.click(".order-send button");
  await expect.poll(() => tab.run(noticeTitle)).toBe("Message Sent Successfully!");
  const focused = () => document.activeElement?.className;
  await expect.poll(() => tab.run(focused)).toBe("received-order");
  const received = /^Received [A-Z][a-z]+ \d+, \d{4} at \d+:\d\d\s[AP]M E[SD]T$/;
  expect(await tab.run(stamp)).toMatch(received);
  expect(await tab.run(stampWidthOfBorder)).not.toBe("0px");
  expect.soft(await accessibilityFaults(tab, changed.received), "axe").toEqual([]);
  expect((await site.messageFrom(mailed)).text).toContain(message);
});

test("a page that the way back restores answers as before", async ({ tab, site }) => {
  await openAt(tab, 1440, `${site.url}/use-cases`);
  const second = "[role=tab]:nth-child(2)";
  const isChosen = () => document.querySelector("[role=tab]:nth-child(2)")?.ariaSelected === "true";
  await tab.click(second);
  await expect.poll(() => tab.run(isChosen)).toBe(true);
  await tab.click(".site-nav-wide a[href='/pricing']");
  const path = () => tab.run(() => location.pathname).catch(() => "");
  await expect.poll(path).toBe("/pricing");
  await tab.run(() => setTimeout(() => history.back()) && null);
  await expect.poll(path).toBe("/use-cases");
  await tab.click("[role=tab]:nth-child(1)");
  await expect.poll(() => tab.run(isChosen)).toBe(false);
  await tab.click(second);
  await expect.poll(() => tab.run(isChosen)).toBe(true);
  // Firefox's driver misses the load of the page that it opens after one that the way back restored.
  await tab.run(() => void setTimeout(() => location.assign("/pricing")));
  await expect.poll(path).toBe("/pricing");
});

test("without scripts both forms are judged and sent", async ({ tabWithoutScripts: tab, site }) => {
  const noticed = (title: string) =>
    expect.poll(() => tab.run(noticeTitle).catch(() => "")).toBe(title);
  const { written, mailed } = addressAt("straßenbau.example");
  await openAt(tab, 390, `${site.url}/newsletter`);
  await fill(tab, ".subscribe-form .field-input", written);
  await tab.press("Enter");
  await noticed("Successfully Subscribed!");
  await site.mailTo(mailed);
  await openAt(tab, 390, `${site.url}/contact`);
  await tab.click(".order-send button");
  await noticed("Missing Information");
  await write(tab, { firstName: "Bo", email: written, message: "It rings at supper." });
  await tab.click(".order-send button");
  await noticed("Message Sent Successfully!");
  await expect.poll(() => tab.run(stamp)).toMatch(/^Received \S+ \d+, \d{4} at /);
  await site.messageFrom(mailed);
});

test("a phone's switch shows one drawing, by touch and by keyboard", async ({ tab, site }) => {
  await openAt(tab, 390, `${site.url}/use-cases/leads`);
  const shown = () =>
    [...document.querySelectorAll(".before-and-after figure")].map((figure) =>
      figure.checkVisibility(),
    );
  expect(await tab.run(shown)).toEqual([true, false]);
  await tab.click(".drawing-switch label:nth-of-type(2)");
  await expect.poll(() => tab.run(shown)).toEqual([false, true]);
  await tab.press("ArrowLeft");
  await expect.poll(() => tab.run(shown)).toEqual([true, false]);
  await tab.resize(1440, 800);
  await expect.poll(() => tab.run(shown)).toEqual([true, true]);
});

function stampWidthOfBorder(): string {
  const stamp = document.querySelector("#received-stamp");
  return stamp ? getComputedStyle(stamp).borderTopWidth : "0px";
}

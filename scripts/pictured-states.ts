import { fill, isSeen, type Tab, type TabOptions, until, untilSeen } from "#tests/engines/tab.ts";
import { setIssues, withoutIssueTable } from "#tests/issue-table.ts";
import { signUpForLinks } from "#tests/mail-links.ts";
import { newAddress } from "#tests/new-address.ts";
import type { SiteServer } from "#tests/site-server.ts";

/** A state of a page other than its first, and how a visitor gets there. */
type PicturedState = {
  name: string;
  path: string;
  /** The address in place of the path, where only a mail of the running site knows it. */
  address?(site: SiteServer): Promise<string>;
  options?: TabOptions;
  arrange?(tab: Tab): Promise<unknown>;
  /** Does the work while the site is in a state of its own. */
  during?(site: SiteServer, work: () => Promise<void>): Promise<void>;
};

const message = { firstName: "Dana", lastName: "Reyes", email: "dana@reyes.example" };

/** The answer to a call from the page: none ever, the error of a broken line, or a refusal. */
type Answer = "none" | "broken" | { status: number; retryAfter: string; message: string };

/** Answers the page's calls from here on in its server's place. In the page: WebKit's driver holds no request back. */
async function answerCalls(tab: Tab, answer: Answer) {
  await tab.run((given: Answer) => {
    window.fetch = async () => {
      if (given === "none") return new Promise<never>(() => {});
      if (given === "broken") throw new TypeError("Failed to fetch");
      const { status, retryAfter, message } = given;
      const headers = { "retry-after": retryAfter };
      return Response.json({ success: false, duplicate: false, message }, { status, headers });
    };
  }, answer);
}

async function sendMessage(tab: Tab, fields: Record<string, string>) {
  for (const [id, value] of Object.entries(fields)) await fill(tab, `#${id}`, value);
  await tab.click("#contact-form button[type=submit]");
}

async function subscribe(tab: Tab, address: string) {
  if (address) await fill(tab, "#subscribe-email", address);
  await tab.click("#subscribe button[type=submit]");
}

/** Presses the button behind a link in mail; who opens the page again finds it done. */
async function pressMailLink(tab: Tab) {
  if (!(await tab.run(isSeen, "main [role=status]"))) await tab.click("main form button");
  await untilSeen(tab, "main [role=status]");
}

const fullMessage = { ...message, message: "Quotes take three evenings a week." };

export const picturedStates: readonly PicturedState[] = [
  {
    name: "menu-open",
    path: "/pricing",
    arrange: async (tab) => {
      if (await tab.run(isSeen, ".menu-toggle")) await tab.click(".menu-toggle");
    },
  },
  { name: "contact-invalid", path: "/contact", arrange: (tab) => sendMessage(tab, {}) },
  {
    name: "contact-bad-address",
    path: "/contact",
    arrange: (tab) => sendMessage(tab, { ...fullMessage, email: "dana@reyes" }),
  },
  {
    name: "contact-sending",
    path: "/contact",
    arrange: async (tab) => {
      await answerCalls(tab, "none");
      await sendMessage(tab, fullMessage);
    },
  },
  {
    name: "contact-sent",
    path: "/contact",
    arrange: async (tab) => {
      await sendMessage(tab, fullMessage);
      await untilSeen(tab, ".received-order");
    },
  },
  {
    name: "contact-failed",
    path: "/contact",
    arrange: async (tab) => {
      await answerCalls(tab, "broken");
      await sendMessage(tab, fullMessage);
      await untilSeen(tab, ".notice-title");
    },
  },
  { name: "contact-with-sum", path: "/contact?sheet=leads&sum=1820" },
  {
    name: "booking-open",
    path: "/contact",
    arrange: async (tab) => {
      await until(() => tab.run(() => "Calendly" in window));
      await tab.click("main button[aria-haspopup=dialog]");
    },
  },
  { name: "subscribe-empty", path: "/newsletter", arrange: (tab) => subscribe(tab, "") },
  { name: "subscribe-malformed", path: "/newsletter", arrange: (tab) => subscribe(tab, "dana@") },
  {
    name: "subscribe-sending",
    path: "/newsletter",
    arrange: async (tab) => {
      await answerCalls(tab, "none");
      await subscribe(tab, message.email);
    },
  },
  {
    name: "subscribe-failed",
    path: "/newsletter",
    arrange: async (tab) => {
      await answerCalls(tab, "broken");
      await subscribe(tab, message.email);
      await untilSeen(tab, ".notice-title");
    },
  },
  {
    name: "subscribe-sent",
    path: "/newsletter",
    // One that has signed up before is told so.
    arrange: async (tab) => {
      await subscribe(tab, newAddress());
      await untilSeen(tab, ".notice-title");
    },
  },
  {
    name: "subscribe-limited",
    path: "/newsletter",
    arrange: async (tab) => {
      const message = "Please try again in an hour.";
      await answerCalls(tab, { status: 429, retryAfter: "3600", message });
      await subscribe(tab, "dana@reyes.example");
      await untilSeen(tab, ".notice-title");
    },
  },
  ...(["confirm", "unsubscribe"] as const).flatMap((link) => [
    {
      name: `mail-${link}`,
      path: `/newsletter/${link}`,
      address: async (site: SiteServer) => (await signUpForLinks(site))[link],
    },
    {
      name: `mail-${link}-done`,
      path: `/newsletter/${link}`,
      address: async (site: SiteServer) => (await signUpForLinks(site))[link],
      arrange: pressMailLink,
    },
  ]),
  {
    name: "mail-token-wrong",
    path: "/newsletter/confirm?token=not-one-of-ours",
    arrange: pressMailLink,
  },
  {
    name: "newsletter-loading",
    path: "/newsletter",
    arrange: async (tab) => {
      await answerCalls(tab, "none");
      await tab.run(() => {
        const issues = document.querySelector<HTMLSelectElement>("main select");
        if (issues) issues.selectedIndex = 1;
        issues?.dispatchEvent(new Event("change", { bubbles: true }));
      });
      await untilSeen(tab, ".issue-skeleton");
    },
  },
  { name: "newsletter-unknown", path: "/newsletter?issue=99" },
  { name: "newsletter-failed", path: "/newsletter?issue=2", during: withoutIssueTable },
  {
    name: "worksheet-edited",
    path: "/use-cases/leads",
    arrange: async (tab) => {
      await fill(tab, ".worksheet input", "14");
      await fill(tab, ".worksheet dl > div:nth-child(2) input", "many");
    },
  },
  {
    name: "drawing-after",
    path: "/use-cases/leads",
    // On a wide sheet both are shown.
    arrange: async (tab) => {
      const other = ".drawing-switch label:nth-of-type(2)";
      if (await tab.run(isSeen, other)) await tab.click(other);
    },
  },
  ...["real-estate", "home-improvement"].map((label, index) => ({
    name: `tab-${label}`,
    path: "/use-cases",
    arrange: (tab: Tab) => tab.click(`[role=tab]:nth-of-type(${index + 2})`),
  })),
  ...["/", "/use-cases", "/use-cases/leads", "/contact", "/newsletter"].flatMap((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1) || "home";
    return [
      { name: `${name}-no-scripts`, path, options: { scripts: false } },
      { name: `${name}-forced-colours`, path, options: { forcedColours: true } },
      { name: `${name}-double-text`, path, options: { textPx: 32 } },
    ];
  }),
  // The last, since no issue is left after it.
  {
    name: "newsletter-empty",
    path: "/newsletter",
    during: async (site, work) => {
      await setIssues(site, []);
      await work();
    },
  },
];

import { starterIssues } from "#content/starter-issues.ts";
import { type Page, shows } from "./expectations.ts";

const longDate = "[A-Z][a-z]+ \\d{1,2}, \\d{4}";
const latestTitle = starterIssues.at(-1)?.title ?? "";
const firstTitle = starterIssues[0]?.title ?? "";

/** From the newest of the older ones down to the first. */
const olderNumbers = starterIssues.slice(1).map((_, index) => starterIssues.length - 1 - index);

export const newsletter: Page = {
  screen: "Newsletter archive",
  path: "/newsletter",
  rows: [
    shows("A dropdown offers 'Latest Issue' plus 'Issue #n - date' for every older issue", {
      choices: "issue",
      labels: [
        /^Latest Issue$/,
        ...olderNumbers.map((number) => new RegExp(`^Issue #${number} - ${longDate}$`)),
      ],
    }),
    shows("the selected issue's HTML: choosing nothing selects the newest", { text: latestTitle }),
    shows("a weekly AI newsletter called The Matrix", { heading: /The Matrix/, level: 1 }),
    shows("an intro paragraph, with the claim of 1,000+ newsletter subscribers", {
      text: /1,000\+ newsletter subscribers/,
    }),
    shows(
      "Below the dropdown: a header, the issue, 'Why Subscribe', 'What You'll Learn', 'Join The Matrix'",
      {
        inOrder: [
          "Latest Issue",
          "The Matrix",
          latestTitle,
          "Why Subscribe",
          "What You'll Learn Each Week",
          "Join The Matrix",
        ],
      },
    ),
    shows("a 'Why Subscribe' block", { heading: "Why Subscribe" }),
    shows("a 'What You'll Learn Each Week' block", { heading: "What You'll Learn Each Week" }),
    shows("(AI Tool Reviews, Success Stories, Quick Wins)", {
      rowOf: ["AI Tool Reviews", "Success Stories", "Quick Wins"],
    }),
    shows("a 'Join The Matrix' subscribe form", { heading: "Join The Matrix" }),
    shows("The input is of type email", { field: "email", labelled: /e-?mail/i, type: "email" }),
    shows("a public subscription form", { button: /^Subscribe$/ }),
  ],
};

export const newsletterIssue: Page = {
  screen: "Newsletter issue",
  path: "/newsletter/1",
  rows: [
    shows("'Back to Newsletter Archive' link", {
      link: "Back to Newsletter Archive",
      to: "/newsletter",
    }),
    shows("'Back', brand header, title and 'Issue #n • long date' in this order", {
      inOrder: [
        "Back to Newsletter Archive",
        "The Matrix",
        firstTitle,
        new RegExp(`Issue #1 • ${longDate}`),
      ],
    }),
    shows("the rendered HTML body", { text: /(\S+\s+){60}/ }),
  ],
};

export const missingIssue: Page = {
  screen: "Newsletter issue that doesn't exist",
  path: "/newsletter/999999",
  rows: [
    shows("If the id is not found: status", { status: 404 }),
    shows("'Newsletter Issue Not Found'", { heading: /^Newsletter Issue Not Found$/, level: 1 }),
    shows("'The newsletter issue you're looking for doesn't exist.'", {
      text: "The newsletter issue you're looking for doesn't exist.",
    }),
  ],
};

export const malformedIssue: Page = {
  screen: "Newsletter issue whose id is no number",
  path: "/newsletter/latest",
  rows: [
    shows("issueId, looked up as the numeric id", { status: 404 }),
    shows("'Newsletter Issue Not Found'", { heading: /^Newsletter Issue Not Found$/, level: 1 }),
  ],
};

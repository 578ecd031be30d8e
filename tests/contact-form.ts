import type { Locator, Page } from "@playwright/test";

export const written = {
  "First Name": "Dana",
  "Last Name": "Reyes",
  Email: "dana@reyes.example",
  "Company (optional)": "Reyes Plumbing & Drain",
  "Phone (optional)": "416 555 0188",
  Message: "Quotes take three evenings a week.\nCan you look at it?",
};

export const leastWritten = {
  "First Name": "Dana",
  "Last Name": "Reyes",
  Email: "dana@reyes.example",
  Message: "Quotes take three evenings a week.",
};

export type Written = Partial<typeof written>;

export const field = (page: Page, label: string): Locator =>
  page.getByLabel(label, { exact: true });

export const subject = (page: Page): Locator => field(page, "Subject (optional)");

/** Writes a whole message, or what is given of one; the subject is chosen with a whole one alone. */
export async function fillIn(page: Page, fields: Written = written): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
  if ("Phone (optional)" in fields) await subject(page).selectOption("Pricing Information");
}

export const sendButton = (page: Page): Locator =>
  page.locator("#contact-form button[type=submit]");

export const noticeOf = (page: Page, title: string): Locator =>
  page.getByText(title, { exact: true });

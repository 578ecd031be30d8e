import type { Page } from "@playwright/test";
import { fillIn, leastWritten, type Written } from "./contact-form.ts";
import { renameTable } from "./issue-table.ts";
import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

/**
 * Every row of the specification's section 8, word for word: with scripts the functions answer what a row needs, and
 * without them the site itself does. tests/specification holds the rows of missing pages, and tests/newsletter.spec.ts that
 * of an archive that can't be read.
 */

type Style = "destructive" | "neutral";
type Answer = { status?: number; contentType?: string; body?: string } | "cut";
/** `calls`: how often the function is called. */
type Said = { title: string; text: string; style: Style; calls: number };
type Row = { name: string; answer?: Answer; fields?: Written } & Said;

function said(style: Style, title: string, text: string, calls = 1): Said {
  return { title, text, style, calls };
}

const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value) });

const fieldsMissing = said(
  "destructive",
  "Missing Information",
  "Please fill in all required fields.",
  0,
);
const notSent = said(
  "destructive",
  "Failed to Send Message",
  "Please try again later or contact us directly at hello@chalkline.example.",
);

const contactRows: Row[] = [
  {
    name: "a required field is empty",
    fields: { ...leastWritten, "Last Name": "   " },
    ...fieldsMissing,
  },
  {
    name: "a required field is empty and the address is malformed",
    fields: { ...leastWritten, Message: "", Email: "dana" },
    ...fieldsMissing,
  },
  {
    name: "the address has no dot",
    fields: { ...leastWritten, Email: "dana@reyes" },
    ...said("destructive", "Invalid Email", "Please enter a valid email address.", 0),
  },
  { name: "the function fails", answer: json({ error: "down" }, 500), ...notSent },
  { name: "the network fails", answer: "cut", ...notSent },
  {
    name: "the message is sent",
    answer: json({ success: true }),
    ...said(
      "neutral",
      "Message Sent Successfully!",
      "Thank you for contacting us. We'll get back to you within 24 hours.",
    ),
  },
];

const subscriptionFailed = (text: string) => said("destructive", "Subscription Failed", text);
const tryAgain = "There was an issue processing your subscription. Please try again.";
const unexpected = "An unexpected error occurred. Please try again later.";
const subscriptionIssue = (text: string) => said("destructive", "Subscription Issue", text);
const alreadySubscribed = (text: string) => said("neutral", "Already Subscribed", text);
const subscribed = (text = "Thank you for subscribing to our newsletter.") =>
  said("neutral", "Successfully Subscribed!", text);

const subscribeRows: Row[] = [
  {
    name: "the address is empty",
    fields: { Email: "" },
    ...said("destructive", "Missing Information", "Please enter your email address.", 0),
  },
  {
    name: "the function answers an error",
    answer: json({ error: "down" }, 500),
    ...subscriptionFailed(tryAgain),
  },
  { name: "the network fails", answer: "cut", ...subscriptionFailed(tryAgain) },
  {
    name: "success is false, with a message",
    answer: json({ success: false, message: "That address bounced last week." }),
    ...subscriptionIssue("That address bounced last week."),
  },
  {
    name: "success is false, without a message",
    answer: json({ success: false }),
    ...subscriptionIssue("There was an issue with your subscription."),
  },
  {
    name: "the address is a duplicate, with a message",
    answer: json({ success: true, duplicate: true, message: "You joined in May." }),
    ...alreadySubscribed("You joined in May."),
  },
  {
    name: "the address is a duplicate, without a message",
    answer: json({ success: true, duplicate: true, message: null }),
    ...alreadySubscribed("This email is already subscribed to our newsletter."),
  },
  {
    name: "the sign-up succeeds, with a message",
    answer: json({ success: true, message: "Look for us on Monday." }),
    ...subscribed("Look for us on Monday."),
  },
  {
    name: "the sign-up succeeds, without a message",
    answer: json({ success: true, duplicate: false }),
    ...subscribed(),
  },
  {
    name: "the answer has no data",
    answer: { contentType: "text/plain", body: "" },
    ...subscribed(),
  },
  {
    name: "the answer has data that says nothing of success",
    answer: json({ id: 7 }),
    ...subscribed(),
  },
  {
    name: "the answer is a web page",
    answer: { contentType: "text/html", body: "<!doctype html><title>Sign in to the wifi</title>" },
    ...subscriptionFailed(unexpected),
  },
  {
    name: "the answer is broken JSON",
    answer: { body: '{"success":' },
    ...subscriptionFailed(unexpected),
  },
];

type Form = { path: string; button: string; emailLabel: string };

const contactForm: Form = { path: "/contact", button: "Send Message", emailLabel: "Email" };
const subscribeForm: Form = {
  path: "/newsletter",
  button: "Subscribe",
  emailLabel: "Email address",
};

/** Fills the form in and sends it; gives what expects its answer, with the address left or gone. */
async function send(page: Page, { button, emailLabel }: Form, fields: Written) {
  const email = page.getByLabel(emailLabel, { exact: true });
  if (emailLabel === contactForm.emailLabel) await fillIn(page, fields);
  else await email.fill(fields.Email ?? "");
  await page.getByRole("button", { name: button, exact: true }).click();
  return async ({ style, title, text }: Omit<Said, "calls">) => {
    const notice = page
      .getByRole(style === "destructive" ? "alert" : "status")
      .filter({ hasText: title });
    await expect(notice.getByText(title, { exact: true })).toBeVisible();
    await expect(notice.getByText(text, { exact: true })).toBeVisible();
    const isTaken = style === "neutral" && title !== "Already Subscribed";
    await expect(email).toHaveValue(isTaken ? "" : (fields.Email ?? ""));
  };
}

for (const { form, called, rows, what } of [
  { form: contactForm, called: "send-contact-email", rows: contactRows, what: "contact message" },
  { form: subscribeForm, called: "newsletter-signup", rows: subscribeRows, what: "sign-up" },
]) {
  // One window for all rows: opening a window takes longer than a row does.
  test(`every row of the catalogue about a ${what}`, async ({
    page,
    expectConsole,
    judgeComplaints,
  }) => {
    let answer: Answer = {};
    let calls = 0;
    await page.route(`**/functions/v1/${called}`, (route) => {
      calls += 1;
      return answer === "cut"
        ? route.abort()
        : route.fulfill({ contentType: "application/json", ...answer });
    });
    await page.goto(form.path);
    for (const row of rows) {
      await test.step(row.name, async () => {
        if (row.answer === "cut") expectConsole(/net::ERR_/);
        else if (row.answer?.status === 500) expectConsole(/status of 500/);
        // The site reports each failure, even one that the browser doesn't.
        if (/Failed/.test(row.title)) expectConsole(new RegExp(`The ${what} could not be sent`));
        // The form is used on, and only what was said before has to be gone.
        const before = page.locator(".notice");
        if (await before.count()) await page.keyboard.press("Escape");
        await expect(before).toHaveCount(0);
        answer = row.answer ?? json({ success: true });
        calls = 0;
        const expectSaid = await send(page, form, row.fields ?? leastWritten);
        await expectSaid(row);
        expect(calls).toBe(row.calls);
        await judgeComplaints(row.name);
      });
    }
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  async function post(page: Page, form: Form, fields: Written) {
    await page.goto(form.path);
    const posted = page.waitForResponse((response) => response.request().method() === "POST");
    const expectSaid = await send(page, form, fields);
    return async (row: Said, status: number) => {
      expect((await posted).status(), row.title).toBe(status);
      await expectSaid(row);
    };
  }

  test("a message is answered with the catalogue's words and its status", async ({
    page,
    site,
    expectConsole,
  }) => {
    expectConsole(/status of 400/);
    expectConsole(/status of 503/);
    for (const row of contactRows) {
      const isFailing = row.title === notSent.title;
      if (isFailing) await renameTable(site, "outbox", "outbox_away");
      const expectAnswer = await post(page, contactForm, row.fields ?? leastWritten);
      await expectAnswer(row, row.style === "neutral" ? 200 : isFailing ? 503 : 400);
      if (isFailing) await renameTable(site, "outbox_away", "outbox");
    }
  });

  test("a sign-up is answered with the catalogue's titles and its status", async ({
    page,
    site,
    expectConsole,
  }) => {
    expectConsole(/status of 400/);
    expectConsole(/status of 503/);
    const Email = newAddress();
    const subscribe = (fields: Written) => post(page, subscribeForm, fields);
    const empty = await subscribe({ Email: "" });
    await empty(
      said("destructive", "Missing Information", "Please enter your email address."),
      400,
    );
    // A browser takes an address without a dot; the server doesn't.
    const refused = await subscribe({ Email: "dana@reyes" });
    await refused(subscriptionIssue("Please enter a valid email address."), 400);
    await renameTable(site, "outbox", "outbox_away");
    const failed = await subscribe({ Email });
    await failed(subscriptionFailed(tryAgain), 503);
    await renameTable(site, "outbox_away", "outbox");
    const taken = await subscribe({ Email });
    await taken(
      subscribed(
        "Thank you for subscribing to our newsletter. One step left: open the link in our confirmation email.",
      ),
      200,
    );
    const again = await subscribe({ Email });
    await again(
      alreadySubscribed(
        "This email is already on our list. Nothing arriving? Open the link in our confirmation email.",
      ),
      200,
    );
  });
});

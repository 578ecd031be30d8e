import { fillIn, leastWritten, type Written } from "./contact-form.ts";
import {
  type HostedAnswer,
  type HostedBackend,
  json,
  startHostedBackend,
} from "./hosted-backend.ts";
import { test as base, expect } from "./site-test.ts";

/**
 * Every row of the specification's section 8, word for word, against a hosted project that fails on demand. The rows of
 * the forms run with scripts on and with scripts off; tests/specification holds those of missing pages, and
 * tests/newsletter.spec.ts that of an archive that can't be read.
 */

type Style = "destructive" | "neutral";
/** `status`: of the page that the server makes where scripts are off. `calls`: how often the function is called. */
type Said = { title: string; text: string; style: Style; status: number; calls: number };
type Row = { name: string; answer?: HostedAnswer; fields?: Written } & Said;

function said(style: Style, status: number, title: string, text: string, calls = 1): Said {
  return { title, text, style, status, calls };
}

const fieldsMissing = said(
  "destructive",
  400,
  "Missing Information",
  "Please fill in all required fields.",
  0,
);
const notSent = said(
  "destructive",
  502,
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
    ...said("destructive", 400, "Invalid Email", "Please enter a valid email address.", 0),
  },
  { name: "the function fails", answer: json({ error: "down" }, 500), ...notSent },
  { name: "the network fails", answer: "cut", ...notSent },
  {
    name: "the message is sent",
    answer: json({ success: true }),
    ...said(
      "neutral",
      200,
      "Message Sent Successfully!",
      "Thank you for contacting us. We’ll get back to you within 24 hours.",
    ),
  },
];

const subscriptionFailed = (text: string) => said("destructive", 502, "Subscription Failed", text);
const tryAgain = "There was an issue processing your subscription. Please try again.";
const unexpected = "An unexpected error occurred. Please try again later.";
const subscriptionIssue = (text: string) => said("destructive", 400, "Subscription Issue", text);
const alreadySubscribed = (text: string) => said("neutral", 200, "Already Subscribed", text);
const subscribed = (text = "Thank you for subscribing to our newsletter.") =>
  said("neutral", 200, "Successfully Subscribed!", text);

const subscribeRows: Row[] = [
  {
    name: "the address is empty",
    fields: { Email: "" },
    ...said("destructive", 400, "Missing Information", "Please enter your email address.", 0),
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
  { name: "the answer has no data", answer: { type: "text/plain", body: "" }, ...subscribed() },
  {
    name: "the answer has data that says nothing of success",
    answer: json({ id: 7 }),
    ...subscribed(),
  },
  {
    name: "the answer is a web page",
    answer: { type: "text/html", body: "<!doctype html><title>Sign in to the wifi</title>" },
    ...subscriptionFailed(unexpected),
  },
  {
    name: "the answer is broken JSON",
    answer: { body: '{"success":' },
    ...subscriptionFailed(unexpected),
  },
];

let hosted: HostedBackend;

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  siteSettings: async ({}, use) => {
    hosted ??= await startHostedBackend();
    await use({ BACKEND_URL: hosted.url, BACKEND_ANON_KEY: hosted.anonKey });
  },
});

test.afterAll(() => hosted.close());

const forms = [
  {
    form: "contact",
    path: "/contact",
    button: "Send Message",
    rows: contactRows,
    emailLabel: "Email",
    function: "send-contact-email",
  },
  {
    form: "subscribe",
    path: "/newsletter",
    button: "Subscribe",
    rows: subscribeRows,
    emailLabel: "Email address",
    function: "newsletter-signup",
  },
] as const;

for (const { form, path, button, rows, emailLabel, function: functionName } of forms) {
  for (const javaScriptEnabled of [true, false]) {
    test.describe(`${form}, scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
      test.use({ javaScriptEnabled });

      // One window for all rows, each of which loads the form anew: opening a window takes longer than a row does.
      // Field report S5.
      test("every row of the catalogue", async ({ page, expectConsole, judgeComplaints }) => {
        const said = page.locator(".notice");
        for (const row of rows) {
          await test.step(row.name, async () => {
            for (const complaint of complaintsOf(row, form, javaScriptEnabled)) {
              expectConsole(complaint);
            }
            // With scripts the form is used on, and only what was said before has to be gone.
            if (!javaScriptEnabled || row === rows[0]) await page.goto(path);
            else if (await said.count()) await page.keyboard.press("Escape");
            await expect(said).toHaveCount(0);
            const email = page.getByLabel(emailLabel, { exact: true });
            const fields = row.fields ?? leastWritten;
            if (form === "contact") await fillIn(page, fields);
            else await email.fill(fields.Email ?? "");
            hosted.answer = row.answer ?? json({ success: true });
            hosted.calls.length = 0;
            const posted = javaScriptEnabled
              ? null
              : page.waitForResponse((response) => response.request().method() === "POST");
            await page.getByRole("button", { name: button, exact: true }).click();

            const notice = page
              .getByRole(row.style === "destructive" ? "alert" : "status")
              .filter({ hasText: row.title });
            await expect(notice.getByText(row.title, { exact: true }), row.name).toBeVisible();
            await expect(notice.getByText(row.text, { exact: true }), row.name).toBeVisible();
            if (posted) expect((await posted).status(), row.name).toBe(row.status);

            const calls = hosted.calls.filter((call) => call.path.startsWith("/functions/"));
            expect(calls, row.name).toHaveLength(row.calls);
            for (const call of calls) {
              expect(call.path, row.name).toBe(`/functions/v1/${functionName}`);
              expect(call.headers, row.name).toMatchObject({
                apikey: hosted.anonKey,
                authorization: `Bearer ${hosted.anonKey}`,
              });
              // Across origins the project would have to allow it first.
              if (javaScriptEnabled) {
                expect(call.headers, row.name).not.toHaveProperty("idempotency-key");
              }
              expect(new URL(call.headers.referer ?? "").pathname, row.name).toBe(path);
            }
            const isTaken = row.style === "neutral" && row.title !== "Already Subscribed";
            const left = isTaken ? "" : (fields.Email ?? "");
            await expect(email, row.name).toHaveValue(left);
            await judgeComplaints(row.name);
          });
        }
      });
    });
  }
}

/** Complaints that a row must cause: the browser's about failed requests, and ours about a failed send. */
function complaintsOf(row: Row, form: string, javaScriptEnabled: boolean): RegExp[] {
  if (!javaScriptEnabled) return row.status === 200 ? [] : [new RegExp(`status of ${row.status}`)];
  const complaints = [];
  if (row.answer === "cut") complaints.push(/net::ERR_/);
  else if (row.answer?.status === 500) complaints.push(/status of 500/);
  // Whatever failed, whether the browser has words for it or not.
  if (row.status === 502) {
    const what = form === "contact" ? "contact message" : "sign-up";
    complaints.push(new RegExp(`The ${what} could not be sent`));
  }
  return complaints;
}

import fc from "fast-check";
import { contactSubjects } from "#contracts/contact-form.ts";
import { hostileText, mostly } from "../hostile-text.ts";

const local = fc.stringMatching(/^[a-z]{1,8}[0-9]{1,4}$/);

/** Addresses as visitors type them, and lists, routes, quotes and line ends as attackers do. */
export const addressText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: local.map((name) => `${name}@visitors.example`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        local,
        fc.constantFrom(
          "@b.example, c@d.example",
          "@b.example;c@d.example",
          "@b.example\r\nBcc: c@d.example",
          '"@x"@b.example',
          "%c@d.example@b.example",
          "@b.example>",
          "@[127.0.0.1]",
          "@b",
          "@@b.example",
          "@b.example ",
          "+tag@b.example",
          "@xn--bcher-kva.example",
          "@b\u3002example",
          "(c)@b.example",
        ),
      )
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: hostileText },
);

/** The seven fields of the contact form, each usually right. */
export const messageFields: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    firstName: mostly(fc.constantFrom("Ada", "Zoë", "李")),
    lastName: mostly(fc.constantFrom("Lovelace", "O'Neil", "van der Berg")),
    email: addressText,
    company: mostly(fc.constantFrom("", "Chalk & Sons")),
    phone: mostly(fc.constantFrom("", "+1 416 555 0142")),
    subject: mostly(fc.constantFrom(...contactSubjects.map((subject) => subject.value))),
    message: fc.tuple(hostileText, fc.nat()).map(([text, number]) => `${text} no. ${number}`),
  },
  { requiredKeys: ["firstName", "lastName", "email", "message"] },
);

import * as v from "valibot";
import {
  accentColour,
  email,
  exampleFact,
  file,
  isAddressOrRange,
  logoFile,
  matching,
  oneOf,
  origin,
  postalCode,
  postgresAddress,
  read,
  readBounceMailbox,
  readListenAddress,
  url,
  webAddress,
  webhookSecret,
  wholeNumber,
  words,
} from "./setting-kinds.ts";

/** One setting for the server, `doctor`, `.env.example` and docs/operating.md (`npm run settings`). */
export type Declaration = {
  /** Markdown. */
  about: string;
  /** Messages follow the setting's name: "must be …". */
  schema: v.GenericSchema<string, unknown>;
  example?: string;
  /** As the operator would write it. */
  default?: string;
  /** A setting declared before it whose value is the default. */
  like?: string;
  /** The consequence, for the documents. */
  without?: string;
  /** The same, for the start. */
  unset?: string;
  /** In UTF-16 code units. */
  maxLength?: number;
  /** No message repeats its value. */
  secret?: true;
};

type Declarations = Record<string, Declaration>;

const firm = {
  SITE_URL: {
    about: "the site's public address, nothing after the host",
    schema: origin("the site's http or https address and nothing after it"),
    example: "https://www.example.com",
    without: "`http://localhost:` and the port",
    unset: "addresses in pages and mails are those of this machine",
  },
  SITE_NAME: { about: "the firm's name", schema: words(), ...exampleFact("Chalkline") },
  SITE_EMAIL: {
    about: "the general email address",
    schema: email(),
    ...exampleFact("hello@chalkline.example"),
  },
  SITE_PHONE: {
    about: "the telephone number",
    schema: matching(/^\+?[\d\s().-]{7,30}$/, "a telephone number"),
    ...exampleFact("+1 416 555 0142"),
    unset: "no telephone is shown",
  },
  SITE_STREET: {
    about: "street and number in Toronto",
    schema: words(),
    ...exampleFact("1 Example Street"),
    unset: "the address is the city alone",
  },
  SITE_POSTAL_CODE: {
    about: "the postal code",
    schema: postalCode(),
    ...exampleFact("M5V 0A0"),
  },
  SITE_PROFILE_URL: {
    about: "the firm's page at a directory or social network",
    schema: webAddress(),
    ...exampleFact("https://profiles.example/chalkline"),
    unset: "no profile is linked",
  },
  SITE_COLOUR: {
    about:
      "the colour of links, lines and marks on pages and in mails, as `#rrggbb`. One that can't be read on the page's paper is refused",
    schema: accentColour(),
    example: "#0b6e4f",
    default: "#1f4fd8",
  },
  SITE_LOGO: {
    about:
      "the firm's logo: a square SVG or PNG file of at most 200 KB, in the bar, the icons and for search engines. Phones' home screens need a PNG",
    schema: logoFile(),
    maxLength: 280_000,
    example: "./logo.png",
    without: "a chalk line",
  },
} satisfies Declarations;

const booking = {
  SCHEDULING_URL: {
    about:
      "the 30-minute booking page that most buttons open; its host with `assets.` before it serves the widget",
    schema: webAddress(),
    example: "https://calendly.com/example/30min",
    unset: "booking buttons open a stand-in that says how to reach you",
  },
  SCHEDULING_CONTACT_URL: {
    about: "the booking page of the contact page",
    schema: webAddress(),
    example: "https://calendly.com/example/consultation",
    without: "`SCHEDULING_URL`",
  },
} satisfies Declarations;

const mail = {
  SMTP_URL: {
    about: "the mail server, by `smtps://` or `smtp://`",
    schema: url(["smtp:", "smtps:"], "an smtp:// or smtps:// address with a host"),
    example: "smtps://user:password@mail.example.com:465",
    without: "each mail is written as an `.eml` file into `mail` in the data folder",
    unset: "mail is written to files and not sent",
    secret: true,
  },
  MAIL_FROM: { about: "the address that mail is from", schema: email(), like: "SITE_EMAIL" },
  MAIL_FROM_NEWSLETTER: {
    about:
      "the address that issues are from; its own, so that a complaint about an issue doesn't hurt other mail",
    schema: email(),
    like: "MAIL_FROM",
  },
  CONTACT_TO: {
    about: "where the contact form's messages are mailed to",
    schema: email(),
    like: "SITE_EMAIL",
  },
  SMTP_RATE: {
    about: "issues sent a second, by all instances of the server together",
    schema: read("how many newsletters are sent a second", (text) =>
      /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : null,
    ),
    default: "5",
    example: "5 or 0.5",
  },
  SMTP_CONNECTIONS: {
    about: "SMTP connections at once; after a 421 the site holds fewer by itself",
    schema: wholeNumber(1, 50),
    default: "3",
  },
  SMTP_DAILY_LIMIT: {
    about:
      "mails that the mail account may send in 24 hours; issues take nine tenths of it, and go on the next day",
    schema: wholeNumber(10, 10_000_000),
    example: "2000",
    without: "no limit is counted",
  },
  DKIM_DOMAIN: {
    about: "the domain that mail is signed for (DKIM); the three DKIM settings go together",
    schema: v.pipe(
      matching(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i, "a domain"),
      v.toLowerCase(),
    ),
    example: "example.com",
    without: "mail goes out unsigned, and your mail service may sign it",
  },
  DKIM_SELECTOR: {
    about: "the selector that the key is published under",
    schema: matching(/^[a-z0-9][a-z0-9._-]{0,62}$/i, "a selector"),
    example: "mail2026",
  },
  DKIM_KEY_FILE: {
    about: "the private key, in PEM",
    schema: file(),
    example: "./dkim-private.pem",
  },
  BOUNCE_MAILBOX: {
    about:
      "the mailbox that undelivered issues come back to, read by IMAP, with `%40` for the @ in the user. " +
      "Where the user isn't the mailbox's address, add it: `…/INBOX?address=bounces@example.com`. `imap://` asks for " +
      "STARTTLS; without encryption only `localhost` is sent the password. A certificate of an authority of your own is " +
      "named in the process's environment: `NODE_EXTRA_CA_CERTS=FILE`",
    schema: read(
      "imaps://, a user, a password and a host, with ?address= after it where the user isn't an email address",
      readBounceMailbox,
    ),
    example: "imaps://bounces%40example.com:password@imap.example.com/INBOX",
    without: "they come back to `MAIL_FROM_NEWSLETTER`, and somebody has to read them",
    secret: true,
  },
  MAIL_EVENTS_SECRET: {
    about:
      "the secret with which Resend signs, or Postmark signs in, where it posts bounces and complaints to " +
      "`/functions/v1/mail-events`",
    schema: webhookSecret(),
    without: "that address is not found",
    secret: true,
  },
  NEWSLETTER_WEBHOOK_URL: {
    about: "the address that is called for each new subscriber; no other is ever called",
    schema: webAddress(),
    example: "https://hooks.example.com/newsletter",
    without: "no call is made",
    unset: "no workflow is told of new subscribers",
    secret: true,
  },
  WEBHOOK_SECRET: {
    about: "the secret that signs those calls, by the Standard Webhooks specification",
    schema: webhookSecret(),
    without: "they go out unsigned",
    unset: "webhook calls go out without a signature",
    secret: true,
  },
} satisfies Declarations;

const data = {
  DATA_DIR: {
    about:
      "the folder of the SQLite file and of mail files; a relative path starts beside the `.env` file, and `~/` at home",
    schema: file("a folder"),
    default: "data",
    example: "./data",
  },
  DATABASE_URL: {
    about:
      "a PostgreSQL database in UTF8; of several hosts with commas, the one that takes writes; over TLS with " +
      "`?sslmode=verify-full&sslrootcert=/path/ca.pem`",
    schema: postgresAddress(),
    example: "postgres://user:password@localhost:5432/chalkline",
    without: "SQLite in the data folder",
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    about:
      "how many connections to PostgreSQL the site may hold, and the desk and each command as many again",
    schema: wholeNumber(1, 100),
    default: "10",
  },
  BACKUP_DAYS: {
    about:
      "how many days a backup that the running site makes every night is kept, in `backups` of the data folder; `0`: it makes none, and none is deleted",
    schema: wholeNumber(0, 3_650),
    default: "30",
  },
} satisfies Declarations;

const counting = {
  ANALYTICS_TAG: {
    about: "`plausible`, `umami` or `ga4`",
    schema: oneOf("plausible", "umami", "ga4"),
    example: "plausible",
    without: "no script on any page",
  },
  ANALYTICS_ID: {
    about: "the site's id there: its domain for Plausible, a UUID for Umami, `G-…` for GA4",
    schema: matching(
      /^[a-z0-9][a-z0-9.-]{0,99}$/i,
      "the site's id at the counting service: its domain for Plausible, a UUID for Umami, G-XXXXXXXXXX for GA4",
    ),
    example: "www.example.com",
  },
  ANALYTICS_HOST: {
    about: "where the script is loaded from, for a Plausible or Umami of your own",
    schema: origin("the http or https address that the script is loaded from and nothing after it"),
    example: "https://count.example.com",
    without: "`https://plausible.io`, `https://cloud.umami.is`",
  },
} satisfies Declarations;

const server = {
  PORT: {
    about: "where to listen; 0 takes any free port and says which",
    schema: wholeNumber(0, 65_535),
    default: "3000",
  },
  DESK_PORT: {
    about: "where `npm run desk` listens, on this machine alone",
    schema: wholeNumber(1, 65_535),
    default: "4477",
  },
  DESK_ADDRESS: {
    about:
      "the desk's https address behind a proxy, where those who were invited sign in by passkey ([deploying.md](deploying.md#the-desk-from-anywhere))",
    schema: v.pipe(
      origin("the desk's https address and nothing after it"),
      // Browsers allow passkeys over http for this machine alone.
      v.check(
        (address) => address.startsWith("https:") || new URL(address).hostname === "localhost",
        "must be the desk's https address and nothing after it",
      ),
    ),
    without: "the desk opens by a printed link, on this machine alone",
    example: "https://desk.example.com",
  },
  HOST: {
    about: "the name or address to listen on; with `DESK_ADDRESS` the desk's too",
    schema: matching(/^[a-z0-9.:_-]+$/i, "the name or address to listen on"),
    example: "127.0.0.1",
    without: "every address of the machine",
  },
  TRUSTED_PROXIES: {
    about:
      "addresses and CIDR ranges of your own proxies, with commas. A visitor's address is taken from X-Forwarded-For only where one of these sent it",
    schema: read("addresses or CIDR ranges with commas between them", (text) => {
      const parts = text === "" ? [] : text.split(",").map((part) => part.trim());
      return parts.every(isAddressOrRange) ? parts : null;
    }),
    default: "",
    example: "10.0.0.0/8,127.0.0.1",
    without: "none",
  },
  SITE_CACHE_TAGS: {
    about:
      "a word that begins the `Cache-Tag` of pages, by which a CDN is told to forget them: the word on all, `chalkline-issues` " +
      "on those that a new issue changes, `chalkline-issue-12` on those that show it",
    schema: matching(
      /^[a-z0-9][a-z0-9-]{0,31}$/i,
      "a word of letters, digits and hyphens that your tags begin with",
    ),
    example: "chalkline",
    without: "no tags",
  },
  LOG_LEVEL: {
    about: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`",
    schema: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
  },
  METRICS_ADDRESS: {
    about:
      "an address and a port, not the site's, where Prometheus reads metrics. Each instance needs its own; the systemd unit sets it",
    schema: read("an address and a port with a colon between them", readListenAddress),
    example: "127.0.0.1:9464",
    without: "no metrics",
  },
} satisfies Declarations;

/** Each title is a heading of docs/operating.md. */
export const settingGroups: { title: string; settings: Declarations }[] = [
  { title: "The firm", settings: firm },
  { title: "Booking", settings: booking },
  { title: "Mail and the workflow", settings: mail },
  { title: "Data", settings: data },
  { title: "A counting service", settings: counting },
  { title: "The server", settings: server },
];

export const declarations = { ...firm, ...booking, ...mail, ...data, ...counting, ...server };

export type SettingName = keyof typeof declarations;

export const settingNames = Object.keys(declarations) as SettingName[];

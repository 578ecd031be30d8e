import * as kinds from "./setting-kinds.ts";

/** One setting, for the server, the desk, `doctor`, `.env.example` and docs/operating.md (`npm run settings`). */
export type Declaration = {
  /** For whoever runs the site, in Markdown. */
  about: string;
  kind: kinds.Kind<unknown>;
  /** Its place and name at the desk. A setting without them is set in the environment alone. */
  desk?: { section: string; label: string; help?: string; isRare?: true };
  example?: string;
  /** As the operator would write it. */
  default?: string;
  /** A setting declared before it whose value is the default. */
  like?: string;
  /** The consequence, where it is no default. */
  without?: string;
  /** The same for what most sites need, so that the start and `doctor` say it. */
  unset?: string;
  /** In UTF-16 code units. */
  maxLength?: number;
  /** The desk shows it to nobody. */
  isSecret?: true;
};

type Declarations = Record<string, Declaration>;

const firm = {
  SITE_URL: {
    about: "the site's public address, nothing after the host",
    kind: kinds.siteOrigin,
    example: "https://www.example.com",
    unset: "addresses in pages and mails are those of this machine",
  },
  SITE_NAME: {
    about: "the firm's name",
    kind: kinds.words,
    desk: { section: "The firm", label: "Name" },
    ...kinds.exampleFact("Chalkline"),
  },
  SITE_EMAIL: {
    about: "the general email address",
    kind: kinds.email,
    desk: { section: "The firm", label: "Email" },
    ...kinds.exampleFact("hello@chalkline.example"),
  },
  SITE_PHONE: {
    about: "the telephone number",
    kind: kinds.matching(/^\+?[\d\s().-]{7,30}$/, "a telephone number", "tel"),
    desk: { section: "The firm", label: "Telephone" },
    ...kinds.exampleFact("+1 416 555 0142"),
    unset: "no telephone is shown on a public address",
  },
  SITE_STREET: {
    about: "street and number in Toronto",
    kind: kinds.words,
    desk: { section: "The firm", label: "Street and number" },
    ...kinds.exampleFact("1 Example Street"),
    unset: "a public address shows the city alone",
  },
  SITE_POSTAL_CODE: {
    about: "the postal code",
    kind: kinds.postalCode,
    desk: { section: "The firm", label: "Postal code" },
    ...kinds.exampleFact("M5V 0A0"),
  },
  SITE_PROFILE_URL: {
    about: "the firm's page at a directory or social network",
    kind: kinds.webAddress,
    desk: { section: "The firm", label: "Page at a social network or directory", isRare: true },
    ...kinds.exampleFact("https://profiles.example/chalkline"),
    unset: "no profile is linked on a public address",
  },
  SITE_REGISTRATION: {
    about: "the registered business name and number, shown at the foot of every page",
    kind: kinds.words,
    desk: { section: "The firm", label: "Registered business name and number", isRare: true },
    example: "Chalkline Automation Inc., 1000000001",
  },
  SITE_WSIB: {
    about: "the WSIB clearance number, shown on About",
    kind: kinds.words,
    desk: { section: "The firm", label: "WSIB clearance", isRare: true },
    example: "A1B2C3D4E5",
  },
  SITE_INSURANCE: {
    about: "the liability insurance, shown on About",
    kind: kinds.words,
    desk: { section: "The firm", label: "Liability insurance", isRare: true },
    example: "$2 million, Example Mutual",
  },
  SITE_REVIEWS_URL: {
    about: "a page with clients' reviews, linked on About",
    kind: kinds.webAddress,
    desk: { section: "The firm", label: "Page with reviews", isRare: true },
    example: "https://reviews.example/chalkline",
  },
  SITE_COLOUR: {
    about:
      "the colour of links, lines and marks on pages and in mails, as `#rrggbb`. One that can't be read on the page's paper is refused",
    kind: kinds.accentColour,
    desk: {
      section: "Look",
      label: "Colour",
      help: "Of links, lines and marks. It must be dark enough to read on light paper.",
    },
    example: "#0b6e4f",
    default: "#1f4fd8",
  },
  SITE_LOGO: {
    about:
      "the firm's logo: a square SVG or PNG file of at most 200 KB, in the bar, the icons and for search engines. Phones' home screens need a PNG",
    kind: kinds.logoFile,
    desk: {
      section: "Look",
      label: "Logo",
      help: "A photo or a drawing: it is cut square and drawn small here, in this browser.",
    },
    maxLength: 280_000,
    example: "./logo.png",
    without: "a chalk line",
  },
} satisfies Declarations;

const booking = {
  SCHEDULING_URL: {
    about:
      "the 30-minute booking page that most buttons open; its host with `assets.` before it serves the widget",
    kind: kinds.webAddress,
    desk: {
      section: "Booking",
      label: "Booking link",
      help: "The 30-minute page at your booking service.",
    },
    example: "https://calendly.com/example/30min",
    unset: "booking buttons open a stand-in that says how to reach you",
  },
  SCHEDULING_CONTACT_URL: {
    about: "the booking page of the contact page",
    kind: kinds.webAddress,
    desk: { section: "Booking", label: "Booking link of the contact page", isRare: true },
    example: "https://calendly.com/example/consultation",
    without: "`SCHEDULING_URL`",
  },
} satisfies Declarations;

const mail = {
  SMTP_URL: {
    about: "the mail server, by `smtps://` or `smtp://`",
    kind: kinds.address(["smtp:", "smtps:"], "an smtp:// or smtps:// address with a host"),
    desk: { section: "Mail", label: "Mail server" },
    example: "smtps://user:password@mail.example.com:465",
    unset: "mail is written to files in the data folder, and not sent",
    isSecret: true,
  },
  MAIL_FROM: {
    about: "the address that mail is from",
    kind: kinds.email,
    desk: { section: "Mail", label: "Letters are from", isRare: true },
    like: "SITE_EMAIL",
  },
  MAIL_FROM_NEWSLETTER: {
    about:
      "the address that issues are from; its own, so that a complaint about an issue doesn't hurt other mail",
    kind: kinds.email,
    desk: { section: "Mail", label: "Issues are from", isRare: true },
    like: "MAIL_FROM",
  },
  CONTACT_TO: {
    about: "where the contact form's messages are mailed to",
    kind: kinds.email,
    desk: { section: "Mail", label: "Messages go to", isRare: true },
    like: "SITE_EMAIL",
  },
  MONDAY_MAIL: {
    about:
      "whether the operator is mailed on Monday mornings who joined and left, what came and what is planned; `yes` or `no`",
    kind: { ...kinds.oneOf("yes", "no"), mustBe: "yes or no", input: "yes or no" },
    desk: {
      section: "Mail",
      label: "A mail on Monday mornings",
      help: "Who joined and left, new messages, what is planned, the last backup.",
    },
    default: "yes",
  },
  SMTP_RATE: {
    about: "issues sent a second, by all instances of the server together",
    kind: kinds.kind("how many newsletters are sent a second", (text) =>
      /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : null,
    ),
    default: "5",
    example: "5 or 0.5",
  },
  SMTP_DAILY_LIMIT: {
    about:
      "mails that the mail account may send in 24 hours; issues take nine tenths of it, and go on the next day",
    kind: kinds.wholeNumber(10, 10_000_000),
    desk: { section: "Mail", label: "Mails a day that the account may send", isRare: true },
    example: "2000",
    without: "no limit is counted",
  },
  DKIM_DOMAIN: {
    about: "the domain that mail is signed for (DKIM); the three DKIM settings go together",
    kind: kinds.matching(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i, "a domain"),
    example: "example.com",
    without: "mail goes out unsigned, and your mail service may sign it",
  },
  DKIM_SELECTOR: {
    about: "the selector that the key is published under",
    kind: kinds.matching(/^[a-z0-9][a-z0-9._-]{0,62}$/i, "a selector"),
    example: "mail2026",
  },
  DKIM_KEY_FILE: {
    about: "the private key, in PEM",
    kind: kinds.file(),
    example: "./dkim-private.pem",
  },
  BOUNCE_MAILBOX: {
    about:
      "the mailbox that undelivered issues come back to, read by IMAP, with `%40` for the @ in the user. Where the user isn't the mailbox's address, add it: `…/INBOX?address=bounces@example.com`. `imap://` asks for STARTTLS; without encryption only `localhost` is sent the password. A certificate of an authority of your own is named in the process's environment: `NODE_EXTRA_CA_CERTS=FILE`",
    kind: kinds.bounceMailbox,
    example: "imaps://bounces%40example.com:password@imap.example.com/INBOX",
    without: "they come back to `MAIL_FROM_NEWSLETTER`, and somebody has to read them",
    isSecret: true,
  },
  MAIL_EVENTS_SECRET: {
    about:
      "the secret with which Resend signs, or Postmark signs in, where it posts bounces and complaints to `/functions/v1/mail-events`",
    kind: kinds.webhookSecret,
    without: "that address is not found",
    isSecret: true,
  },
  NEWSLETTER_WEBHOOK_URL: {
    about: "the address that is called for each new subscriber; no other is ever called",
    kind: kinds.webAddress,
    example: "https://hooks.example.com/newsletter",
    unset: "no workflow is told of new subscribers",
    isSecret: true,
  },
  WEBHOOK_SECRET: {
    about: "the secret that signs those calls, by the Standard Webhooks specification",
    kind: kinds.webhookSecret,
    without: "webhook calls go out without a signature",
    isSecret: true,
  },
} satisfies Declarations;

const data = {
  DATA_DIR: {
    about:
      "the folder of the SQLite file and of mail files; a relative path starts beside the `.env` file, and `~/` at home",
    kind: kinds.file("a folder"),
    default: "data",
    example: "./data",
  },
  DATABASE_URL: {
    about:
      "a PostgreSQL database in UTF8; over TLS with `?sslmode=verify-full&sslrootcert=/path/ca.pem`",
    kind: kinds.address(["postgres:", "postgresql:"], "a postgres:// address with a host"),
    example: "postgres://user:password@localhost:5432/chalkline",
    without: "SQLite in the data folder",
    isSecret: true,
  },
  DATABASE_CONNECTIONS: {
    about:
      "how many connections to PostgreSQL the site may hold, and the desk and each command as many again",
    kind: kinds.wholeNumber(1, 100),
    default: "10",
  },
  BACKUP_DAYS: {
    about:
      "how many days a backup that the running site makes every night is kept, in `backups` of the data folder; `0`: it makes none, and none is deleted",
    kind: kinds.wholeNumber(0, 3_650),
    desk: {
      section: "Backups",
      label: "Days that a nightly backup is kept",
      help: "With 0 none is made, and none is deleted.",
    },
    default: "30",
  },
} satisfies Declarations;

const server = {
  PORT: {
    about: "where to listen; 0 takes any free port and says which",
    kind: kinds.wholeNumber(0, 65_535),
    default: "3000",
  },
  DESK_PORT: {
    about: "where `npm run desk` listens, on this machine alone",
    kind: kinds.wholeNumber(1, 65_535),
    default: "4477",
  },
  DESK_ADDRESS: {
    about:
      "the desk's https address behind a proxy, where those who were invited sign in by passkey ([deploying.md](deploying.md#the-desk-from-anywhere))",
    kind: kinds.passkeyOrigin,
    without: "the desk opens by a printed link, on this machine alone",
    example: "https://desk.example.com",
  },
  HOST: {
    about: "the name or address to listen on; with `DESK_ADDRESS` the desk's too",
    kind: kinds.matching(/^[a-z0-9.:_-]+$/i, "the name or address to listen on"),
    example: "127.0.0.1",
    without: "every address of the machine",
  },
  TRUSTED_PROXIES: {
    about:
      "addresses and CIDR ranges of your own proxies, with commas. A visitor's address is taken from X-Forwarded-For only where one of these sent it",
    kind: kinds.addressRanges,
    default: "",
    example: "10.0.0.0/8,127.0.0.1",
    without: "none",
  },
  LOG_LEVEL: {
    about: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`",
    kind: kinds.oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
  },
} satisfies Declarations;

/** Each title is a heading of docs/operating.md. */
export const settingGroups: { title: string; settings: Declarations }[] = [
  { title: "The firm", settings: firm },
  { title: "Booking", settings: booking },
  { title: "Mail and the workflow", settings: mail },
  { title: "Data", settings: data },
  { title: "The server", settings: server },
];

export const declarations = { ...firm, ...booking, ...mail, ...data, ...server };

export type SettingName = keyof typeof declarations;

export const settingNames = Object.keys(declarations) as SettingName[];

/** Undefined where no setting has the name. */
export function declarationOf(name: string): Declaration | undefined {
  return Object.hasOwn(declarations, name) ? declarations[name as SettingName] : undefined;
}

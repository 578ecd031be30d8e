import * as v from "valibot";
import { type ContactField, contactFields } from "#contracts/contact-form.ts";
import { contactMessageSchema } from "#contracts/contact-message.ts";
import { newsletterSignupSchema } from "#contracts/newsletter-signup.ts";
import { emailAddress } from "#contracts/text.ts";
import type { WireRequest } from "./wire-request.ts";

/** What a request may leave behind, and nothing else: one row whose own words these are. */
export type AllowedWrite = { table: "contact_messages" | "subscribers"; row: string };

const functionBodyMaxBytes = 64 * 1024;

/**
 * Judges by the contracts alone, and not by the server's code, whether a request may write. Null where it may not. A
 * write that is allowed can still be refused, for reasons that the contracts don't know.
 */
export async function allowedWrite(request: WireRequest): Promise<AllowedWrite | null> {
  const { method, target, body } = request;
  if (method !== "POST" || !body) return null;
  const type = request.headers.find(([name]) => name === "Content-Type")?.[1] ?? "";
  const [path = ""] = target.split("?");
  if (path.startsWith("/functions/v1/")) {
    if (!/^\s*application\/json\s*(;|$)/i.test(type) || body.length > functionBodyMaxBytes)
      return null;
    const fields = jsonObject(body);
    if (fields && path === "/functions/v1/send-contact-email") return message(fields);
    return fields && path === "/functions/v1/newsletter-signup" ? signUp(fields) : null;
  }
  const page = path.replace(/\.data$/, "");
  if (page !== "/contact" && page !== "/newsletter") return null;
  const fields = await formFields(body, type);
  if (!fields) return null;
  return page === "/contact" ? message(fields) : signUp({ email: fields.email ?? "" });
}

/** A stored message in the form in which it is compared; forms and JSON write line ends in different ways. */
export function messageRow(fields: Record<ContactField, string>): string {
  return JSON.stringify(contactFields.map((field) => fields[field].replaceAll("\r\n", "\n")));
}

function message(fields: Record<string, unknown>): AllowedWrite | null {
  const parsed = v.safeParse(contactMessageSchema, fields);
  return parsed.success ? { table: "contact_messages", row: messageRow(parsed.output) } : null;
}

function signUp(fields: Record<string, unknown>): AllowedWrite | null {
  const parsed = v.safeParse(newsletterSignupSchema, {
    email: fields.email,
    webhookUrl: fields.webhookUrl,
  });
  if (!parsed.success) return null;
  const email = v.safeParse(emailAddress("Email"), parsed.output.email);
  // A list of addresses has the contract's shape and is still no address.
  if (!email.success || /[,;<>"\\]/.test(email.output)) return null;
  return { table: "subscribers", row: email.output };
}

function jsonObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}

async function formFields(body: Buffer, type: string): Promise<Record<string, string> | null> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "Content-Type": type },
    }).formData();
    const fields: Record<string, string> = {};
    // Of a repeated field the first counts, and a file is no text.
    for (const [name, value] of form) if (typeof value === "string") fields[name] ??= value;
    return fields;
  } catch {
    return null;
  }
}

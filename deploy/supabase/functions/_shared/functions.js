// Made from the site's own rules by `node_modules/.bin/node scripts/supabase-functions.ts`. Change
// deploy/supabase/source and the files of contracts/ and backend/ that it uses, not this.
import { Buffer } from "node:buffer";
import pg from "npm:pg@8.23.1";
import { BlockList, isIP, isIPv6 } from "node:net";
import { createHash, randomFillSync } from "node:crypto";
import { domainToASCII } from "node:url";
import nodemailer from "npm:nodemailer@10.6.0";
import { encodeWord } from "npm:nodemailer@10.6.0/lib/mime-funcs";
// \0rolldown/runtime.js
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
// backend/functions/read-json-object.ts
/** Longest body that a function reads, in bytes: the longest contact message with every character as `\uXXXX`, and more. */
var bodyMaxBytes = 98304;
/** A sender that has not finished its body by then is sent away. */
var bodyTimeoutMs = 15e3;
/**
* Reads a request's JSON object. What arrives is counted, whatever Content-Length says. Of a repeated name the last
* value stands, as JSON.parse has it.
*/
async function readJsonObject(request, { timeoutMs = bodyTimeoutMs } = {}) {
	if (request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") return {
		ok: false,
		status: 415,
		error: "The content type has to be application/json."
	};
	const bytes = await readBytes(request, timeoutMs);
	if (!bytes.ok) return bytes;
	try {
		const text = new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(bytes.bytes);
		const body = JSON.parse(text.replace(/^\ufeff/, ""));
		if (isPlainObject(body)) return {
			ok: true,
			body,
			text
		};
		return {
			ok: false,
			status: 400,
			error: "The body has to be a JSON object."
		};
	} catch {
		return {
			ok: false,
			status: 400,
			error: "The body is not valid JSON."
		};
	}
}
var tooLarge = {
	ok: false,
	status: 413,
	error: `The body is larger than ${bodyMaxBytes / 1024} KB.`
};
var tooLate = {
	ok: false,
	status: 408,
	error: "The body took too long to arrive."
};
var brokenOff = {
	ok: false,
	status: 400,
	error: "The body broke off."
};
async function readBytes(request, timeoutMs) {
	const declared = request.headers.get("content-length");
	if (Number(declared) > 98304) return tooLarge;
	return declared === null ? await readPieces(request, timeoutMs) : await readWhole(request, timeoutMs);
}
/**
* No more arrives than was declared, which Node's parser sees to: so it needs no stream, which costs more than all its
* bytes.
*/
async function readWhole(request, timeoutMs) {
	const { promise: late, resolve } = Promise.withResolvers();
	const timer = setTimeout(resolve, timeoutMs, null);
	try {
		const buffer = await Promise.race([request.arrayBuffer(), late]);
		if (buffer === null) return tooLate;
		return buffer.byteLength > 98304 ? tooLarge : {
			ok: true,
			bytes: new Uint8Array(buffer)
		};
	} catch {
		return brokenOff;
	} finally {
		clearTimeout(timer);
	}
}
async function readPieces(request, timeoutMs) {
	if (!request.body) return {
		ok: true,
		bytes: /* @__PURE__ */ new Uint8Array()
	};
	const reader = request.body.getReader();
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		reader.cancel().catch(() => {});
	}, timeoutMs);
	const chunks = [];
	let length = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (late) return tooLate;
			if (done) return {
				ok: true,
				bytes: Buffer.concat(chunks)
			};
			length += value.byteLength;
			if (length > 98304) {
				reader.cancel().catch(() => {});
				return tooLarge;
			}
			chunks.push(value);
		}
	} catch {
		return brokenOff;
	} finally {
		clearTimeout(timer);
	}
}
function isPlainObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
// server/listening/client-address.ts
/**
* Gives a reader of the visitor's address. The header is believed only as far as trusted proxies wrote it: from the
* right, the first address that isn't one of theirs is the visitor's. Anyone can send the header, so anything left of
* that is theirs to invent. `trustedProxies` are valid addresses and CIDR ranges.
*/
function createClientAddressReader(trustedProxies) {
	const trusted = toBlockList(trustedProxies);
	const isTrusted = (address) => trusted.check(address, family(address));
	return ({ socketAddress, forwardedFor }) => {
		let client = plainAddress(socketAddress ?? "");
		const hops = (forwardedFor ?? "").split(",").slice(-20);
		while (client !== null && isTrusted(client)) {
			const previous = plainAddress(hops.pop() ?? "");
			if (previous === null) break;
			client = previous;
		}
		return client;
	};
}
function toBlockList(addressesAndRanges) {
	const list = new BlockList();
	for (const entry of addressesAndRanges) {
		const [address = "", bits] = entry.split("/");
		if (bits === void 0) list.addAddress(address, family(address));
		else list.addSubnet(address, Number(bits), family(address));
	}
	return list;
}
function family(address) {
	return isIP(address) === 6 ? "ipv6" : "ipv4";
}
/** An address without port, brackets, zone or the IPv6 wrapping of an IPv4 one; null where it is none. */
function plainAddress(text) {
	const address = text.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
	return isIP(address) === 0 ? null : address;
}
var failure = {
	status: 503,
	body: {
		success: false,
		error: "This can't be saved at the moment. Please try again shortly."
	},
	retryAfterSeconds: 5
};
function refusal(status, error) {
	return {
		status,
		body: {
			success: false,
			error
		}
	};
}
/** A refusal of the built-in backend's rules, as this one answers it. */
function refused(refusal) {
	const { status, error, fields } = refusal;
	return {
		status,
		body: {
			success: false,
			error,
			fields
		}
	};
}
/** All of the work or none of it. */
async function inTransaction(pool, work) {
	const client = await pool.connect();
	try {
		await client.query("begin");
		const done = await work(client);
		await client.query("commit");
		client.release();
		return done;
	} catch (error) {
		client.release(true);
		throw error;
	}
}
// backend/email/mailbox-key.ts
/** Domains of the one large service that reads addresses without their dots. */
var dotlessDomains = /* @__PURE__ */ new Set(["gmail.com", "googlemail.com"]);
/** What shows nothing: soft hyphens, zero-width characters, direction marks, selectors. */
var invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** What no rule of Unicode changes but for its capitals: nearly every address, which is folded several times. */
var plainAscii = /^[ -~]*$/;
/** What can't stand in an address without quotes (RFC 5322, section 3.2.3), and what isn't text at all. */
var unplain = /[\s\p{Cc}\p{Cs}<>()[\]\\,;:"@\ufffd]/u;
/** Two labels or more of a domain name in its encoded form (RFC 5891), as mail servers look it up. */
var asciiDomain = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;
/**
* The mailbox that an address leads to, the same for every way to write it: capitals, full-width letters, what shows
* nothing, a domain's encoding and its trailing dot, a tag after a plus sign (RFC 5233), Gmail's dots. Null where no mail
* could arrive. Whatever compares people compares this. Never an address to write to.
*/
function findMailbox(email) {
	const at = email.lastIndexOf("@");
	if (at < 0) return null;
	const domain = foldDomain(email.slice(at + 1));
	const untagged = fold(email.slice(0, at)).replace(/(?<=.)\+.*$/s, "");
	const local = dotlessDomains.has(domain) ? untagged.replaceAll(".", "") : untagged;
	if (local === "" || unplain.test(local) || !asciiDomain.test(domain)) return null;
	return `${local}@${domain === "googlemail.com" ? "gmail.com" : domain}`;
}
/**
* The same mailbox as its mail server knows it: full-width letters as the usual ones, without what shows nothing, and
* without the domain's trailing dot. With them a mail would be refused, and hold the mailbox's own back for an hour.
*/
function deliverableSpelling(email) {
	return withoutHidden(email).normalize("NFKC").replace(/\.$/, "");
}
/** Once more at the end: what is lower-cased or left out can make what is composed otherwise. */
function fold(text) {
	if (plainAscii.test(text)) return text.toLowerCase();
	return withoutHidden(text).toLowerCase().normalize("NFKC");
}
function withoutHidden(text) {
	return text.normalize("NFKC").replace(invisible, "");
}
/** As UTS #46 maps it, for what can stand in a domain; the URL parser behind it would cut a path off and decode `%6d`. */
function foldDomain(text) {
	const plain = text.normalize("NFKC");
	if (unplain.test(plain) || /[%/?#]/.test(plain)) return "";
	return domainToASCII(plain).replace(/\.$/, "");
}
// backend/limits/network-key.ts
var networkGroups = 4;
/**
* What of a network address counts as one sender: an IPv4 address as it is; of an IPv6 address the first 64 bits, since
* a connection is given that many addresses and more (RFC 6177).
*/
function networkKey(address) {
	return firstGroups(address, networkGroups);
}
function firstGroups(address, count) {
	if (!isIPv6(address)) return address;
	const groups = ipv6Groups(address);
	if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 65535) return ipv4Of(groups);
	return `${groups.slice(0, count).map((group) => group.toString(16)).join(":")}::/${count * 16}`;
}
/** The eight groups of 16 bits. A URL's host is the address in its one canonical form (WHATWG URL, "IPv6 serializer"). */
function ipv6Groups(address) {
	const [head = "", tail] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::");
	const read = (text) => text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
	const before = read(head);
	const after = read(tail ?? "");
	return [
		...before,
		...Array(8 - before.length - after.length).fill(0),
		...after
	];
}
function ipv4Of(groups) {
	return groups.slice(6).flatMap((group) => [group >> 8, group & 255]).join(".");
}
// content/retention.ts
/**
* How long personal information is kept. The privacy policy promises exactly these periods, and whatever deletes reads
* them here. The first three are the specification's (section 9) and the tax law's; the others are ours.
*/
var retention = {
	/** Clients' data, counted from the end of the work. */
	clientDataYears: 1,
	/** Invoices and payments (Income Tax Act, s. 230(4) asks for six years after the tax year; seven are kept). */
	financialRecordYears: 7,
	/** Requests for deletion and inquiries are settled within so many days. */
	requestDays: 30,
	/** A contact message, counted from the last message of the same address. */
	contactMessageYears: 2,
	/** The network address kept with a contact message, counted from its arrival. */
	contactAddressDays: 90,
	/** The proof of consent with its network address, counted from the end of the subscription. */
	consentYears: 3,
	/** A sign-up that nobody confirmed, counted from the sign-up. */
	unconfirmedSignUpYears: 1,
	/** How often a network or a mailbox has sent a form, under a hash of it: the longest time that is counted over. */
	senderCountHours: 24,
	/** What the sending queue holds of a message or sign-up, counted from delivery. */
	deliveryDays: 90,
	/** Daily sums of visits, which tell of nobody: long enough to hold a year against the two before. */
	visitYears: 3
};
// backend/limits/submission-limits.ts
var hourSeconds = 3600;
/** No window is longer: the privacy policy says so. */
var daySeconds = retention.senderCountHours * hourSeconds;
/**
* How often each form may be sent. Far above what people do, since a refusal costs a visitor more than a piece of spam
* costs the firm. However many are sent by however many, they are taken: what is paced then is the mail
* (`backend/outbox/mail-paces.ts`).
*/
var submissionLimits = {
	message: {
		perMailbox: {
			count: 20,
			windowSeconds: hourSeconds
		},
		perAddress: {
			count: 120,
			windowSeconds: hourSeconds
		},
		furtherOnes: {
			count: 2e4,
			windowSeconds: daySeconds
		},
		furtherPerSite: {
			count: 2e3,
			windowSeconds: daySeconds
		}
	},
	signUp: {
		perMailbox: {
			count: 10,
			windowSeconds: hourSeconds
		},
		perAddress: {
			count: 300,
			windowSeconds: hourSeconds
		},
		furtherOnes: {
			count: 2e5,
			windowSeconds: daySeconds
		},
		furtherPerSite: {
			count: 2e4,
			windowSeconds: daySeconds
		}
	}
};
// deploy/supabase/source/limits.ts
/** A window that began earlier is over for every sender. */
var longestWindowSeconds = Math.max(...Object.values(submissionLimits).map(({ perMailbox, perAddress }) => Math.max(perMailbox?.windowSeconds ?? 0, perAddress?.windowSeconds ?? 0)));
/** So many at once: the rest goes after the next call. */
var forgottenMaxRows = 1e3;
/**
* Counts a submission by its mailbox and its network; gives the refusal where either has sent too many. Neither is stored
* as it is, but hashed with what the functions alone know: the privacy policy says so.
*/
async function refusalOfTooMany({ pool, settings }, form, { email, visitor }) {
	const { perMailbox, perAddress } = submissionLimits[form];
	const senders = [[`mailbox ${findMailbox(email) ?? email}`, perMailbox], ...visitor === null ? [] : [[`network ${networkKey(visitor)}`, perAddress]]];
	let waitSeconds = 0;
	for (const [sender, limit] of senders) {
		const hashed = createHash("sha256").update(`${settings.databaseUrl} ${sender}`).digest("base64url");
		if (limit) waitSeconds = Math.max(waitSeconds, await take(pool, form, hashed, limit));
	}
	if (waitSeconds === 0) return null;
	return {
		status: 429,
		body: {
			success: false,
			error: `Too many ${form === "signUp" ? "sign-ups" : "messages"} in a short time. Try again in ${waitSeconds} seconds.`
		},
		retryAfterSeconds: waitSeconds
	};
}
/** Seconds to wait; 0 where there is room. A window begins with the first that is sent in it. */
async function take(pool, form, sender, { count, windowSeconds }) {
	const { rows } = await pool.query(`insert into chalkline.submission_counts as counted (form, sender, began_at, sent)
     values ($1, $2, now(), 1)
     on conflict (form, sender) do update set
       sent = case when counted.began_at < now() - make_interval(secs => $3) then 1 else counted.sent + 1 end,
       began_at = case when counted.began_at < now() - make_interval(secs => $3) then now() else counted.began_at end
     returning sent, ceil(extract(epoch from began_at + make_interval(secs => $3) - now()))::int as left`, [
		form,
		sender,
		windowSeconds
	]);
	const [row] = rows;
	return row && row.sent > count ? Math.max(1, row.left) : 0;
}
/** Forgets windows that are over, and waits for nobody who is counting. */
async function forgetPastCounts(pool) {
	await pool.query(`delete from chalkline.submission_counts where (form, sender) in (
       select form, sender from chalkline.submission_counts
       where began_at < now() - make_interval(secs => $1)
       limit $2 for update skip locked)`, [longestWindowSeconds, forgottenMaxRows]);
}
var DEFAULT_CONFIG = {
	lang: void 0,
	message: void 0,
	abortEarly: void 0,
	abortPipeEarly: void 0
};
/**
* Returns the global configuration.
*
* @param config The config to merge.
*
* @returns The configuration.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalConfig(config$1) {
	if (!config$1 && true) return DEFAULT_CONFIG;
	return {
		lang: config$1?.lang ?? void 0,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? void 0,
		abortPipeEarly: config$1?.abortPipeEarly ?? void 0
	};
}
/**
* Stringifies an unknown input to a literal or type string.
*
* @param input The unknown input.
*
* @returns A literal or type string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _stringify(input) {
	const type = typeof input;
	if (type === "string") return `"${input}"`;
	if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
	if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
	return type;
}
/**
* Adds an issue to the dataset.
*
* @param context The issue context.
* @param label The issue label.
* @param dataset The input dataset.
* @param config The configuration.
* @param other The optional props.
*
* @internal
*/
function _addIssue(context, label, dataset, config$1, other) {
	const input = other && "input" in other ? other.input : dataset.value;
	const expected = other?.expected ?? context.expects ?? null;
	const received = other?.received ?? /* @__PURE__ */ _stringify(input);
	const issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	};
	const isSchema = context.kind === "schema";
	const message$1 = other?.message ?? context.message ?? (context.reference, issue.lang, void 0) ?? (isSchema ? (issue.lang, void 0) : null) ?? config$1.message ?? (issue.lang, void 0);
	if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
	if (isSchema) dataset.typed = false;
	if (dataset.issues) dataset.issues.push(issue);
	else dataset.issues = [issue];
}
/**
* Eagerly creates and attaches the Standard Schema properties of a schema.
*
* Hint: The contextual `this` type includes the standard properties that are
* attached before the schema is returned.
*
* @param schema The schema to attach standard properties to.
*
* @returns The schema with standard properties attached.
*
* @internal
*/
function _standardSchema(schema) {
	schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
	};
	return schema;
}
/* @__NO_SIDE_EFFECTS__ */
function check(requirement, message$1) {
	return {
		kind: "validation",
		type: "check",
		reference: check,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function maxLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_length",
		reference: maxLength,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length > this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function minLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_length",
		reference: minLength,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length < this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function regex(requirement, message$1) {
	return {
		kind: "validation",
		type: "regex",
		reference: regex,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "format", dataset, config$1);
			return dataset;
		}
	};
}
/**
* Creates a custom transformation action.
*
* @param operation The transformation operation.
*
* @returns A transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function transform(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transform,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = this.operation(dataset.value);
			return dataset;
		}
	};
}
/**
* Creates a trim transformation action.
*
* @returns A trim action.
*/
/* @__NO_SIDE_EFFECTS__ */
function trim() {
	return {
		kind: "transformation",
		type: "trim",
		reference: trim,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.trim();
			return dataset;
		}
	};
}
/**
* Returns the fallback value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The output dataset if available.
* @param config The config if available.
*
* @returns The fallback value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
/**
* Returns the default value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The input dataset if available.
* @param config The config if available.
*
* @returns The default value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefault(schema, dataset, config$1) {
	return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}
/* @__NO_SIDE_EFFECTS__ */
function nullable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullable,
		expects: `(${wrapped.expects} | null)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function optional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "string") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
function safeParse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}
// contracts/text.ts
/**
* Text, an at-sign, text, a dot, text, and no spaces: the shape that the specification's section 5 asks of an address.
* Only the first dot after the first character of the host is tried, so that the time grows with the length and not with
* its square: 90,000 dots stood the server still for half a minute.
*/
var emailShape = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;
var lineEndsAndTabs$1 = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
var singleLineControls = /[\u0000-\u001f\u007f-\u009f]/;
var multiLineControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;
/**
* Trimmed text on one line: at most `max` UTF-16 code units, no control characters. Line ends and tabs become spaces.
*/
function singleLineText(label, rules) {
	return /* @__PURE__ */ pipe(/* @__PURE__ */ string(`${label} must be text.`), /* @__PURE__ */ transform((text) => text.replace(lineEndsAndTabs$1, " ")), ...boundedText(label, rules, singleLineControls));
}
/** Trimmed text that may have line breaks of any kind and tabs: at most `max` UTF-16 code units, no other control characters. */
function multiLineText(label, rules) {
	return /* @__PURE__ */ pipe(/* @__PURE__ */ string(`${label} must be text.`), ...boundedText(label, rules, multiLineControls));
}
/** A trimmed email address of the specification's shape, at most 254 characters, no control characters. */
function emailAddress(label) {
	return /* @__PURE__ */ pipe(singleLineText(label, {
		max: 254,
		required: true
	}), /* @__PURE__ */ regex(emailShape, `${label} is not a valid email address.`));
}
function boundedText(label, { max, required = false }, controls) {
	return [
		/* @__PURE__ */ trim(),
		/* @__PURE__ */ minLength(required ? 1 : 0, `${label} is required.`),
		/* @__PURE__ */ maxLength(max, `${label} is longer than ${max} characters.`),
		/* @__PURE__ */ check((text) => !controls.test(text), `${label} contains control characters.`)
	];
}
// backend/email/mail-message.ts
var addressSpecials = /[<>()[\]\\,;:"@\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]|=\?/u;
/**
* Whether an address can stand in a header and an envelope as it is: a dot-atom at each side of one at-sign. An
* address that is valid only with quotes is left out, since nobody's mail is lost by it.
*/
function isPlainAddress(address) {
	const [local = "", domain = "", ...rest] = address.split("@");
	return rest.length === 0 && local !== "" && domain !== "" && address.isWellFormed() && !addressSpecials.test(local) && !addressSpecials.test(domain);
}
// backend/email/read-address.ts
var schema = emailAddress("Email");
/** The address in a visitor's text, as mail can be sent to it; null where it is none. */
function readAddress(text) {
	const typed = /* @__PURE__ */ safeParse(schema, text);
	if (!typed.success || findMailbox(typed.output) === null) return null;
	const address = deliverableSpelling(typed.output);
	return address.length <= 254 && isPlainAddress(address) ? address : null;
}
// backend/functions/read-fields.ts
/**
* Checks a body against a function's schema. 400 where a field has the wrong type, 422 where one breaks a rule, with
* the first fault of each field. Fields that the schema doesn't name are dropped.
*/
function readFields(schema, body) {
	const parsed = /* @__PURE__ */ safeParse(schema, body);
	if (!parsed.success) {
		const fields = {};
		for (const issue of parsed.issues) {
			const name = String(issue.path?.[0]?.key);
			fields[name] ??= issue.input === void 0 ? `${name} is required.` : issue.message;
		}
		return parsed.issues.some((issue) => issue.kind === "schema" && issue.input !== void 0) ? {
			ok: false,
			status: 400,
			error: "A field has the wrong type.",
			fields
		} : {
			ok: false,
			status: 422,
			error: "A field can't be taken as it is.",
			fields
		};
	}
	const broken = Object.entries(parsed.output).filter(([, value]) => typeof value === "string" && !value.isWellFormed());
	if (broken.length > 0) return {
		ok: false,
		status: 422,
		error: "A field can't be taken as it is.",
		fields: Object.fromEntries(broken.map(([name]) => [name, `${name} contains characters that can't be stored.`]))
	};
	return {
		ok: true,
		values: parsed.output
	};
}
// backend/newsletter/confirmation-pause.ts
/** A mailbox is sent no second mail about a sign-up sooner, whoever asks for it and however the address is spelled. */
var confirmationPauseMs = 36e5;
// content/site.ts
var newsletterName = "The Matrix";
/** The city and the province that the firm is in. */
var locality = "Toronto";
/** The clocks by which the firm dates what it shows and sends. */
var timeZone = "America/Toronto";
/** Where letters reach the firm, on one line. */
function postalAddress({ street, postalCode }) {
	return `${street}, ${locality}, ON ${postalCode}`;
}
/** The same for readers who may be in another country. */
function postalAddressAbroad(premises) {
	return `${postalAddress(premises)}, Canada`;
}
// content/consent.ts
/**
* The wording of express consent, as the subscribe form shows it and as it is kept with each sign-up: the purpose, who
* asks, how to reach them, and the right to withdraw (CASL, s. 10(1); Electronic Commerce Protection Regulations, s. 4).
*/
function consentText({ siteName, email, phone, street, postalCode }) {
	return `By subscribing you agree that ${siteName} may email you ${newsletterName}, a weekly newsletter about AI automation for trade, real estate and home-improvement businesses that also mentions our services. You can withdraw your consent at any time with the unsubscribe link in every issue or by contacting ${siteName}, ${postalAddress({
		street,
		postalCode
	})}, ${email}, ${phone}.`;
}
// backend/newsletter/consent.ts
var pageMaxLength = 500;
var addressMaxLength = 100;
/**
* What is kept of one consent beside its time: the exact wording shown, the page it stood on, and the network address
* it came from. The burden of proof is the sender's (CASL, s. 13).
*/
function consentOf(site, origin) {
	return {
		wording: consentText({
			...site,
			siteName: site.name
		}),
		page: consentPage(site, origin),
		networkAddress: origin.clientAddress?.slice(0, addressMaxLength) ?? null
	};
}
/** The path of the page, where it is one of this site's; a query could hold anything and is left out. */
function consentPage(site, { referrer, requestUrl }) {
	if (!referrer || !URL.canParse(referrer, site.url)) return null;
	const page = new URL(referrer, site.url);
	return [new URL(site.url).origin, new URL(requestUrl).origin].includes(page.origin) ? page.pathname.slice(0, pageMaxLength) : null;
}
// backend/newsletter/subscriber-token.ts
var tokenBytes = 32;
/** Of a token's bytes, those of the second in which it is made. */
var timeBytes = 4;
var randomBytes = 28;
/** Drawn for several at a time, as Node does it for UUIDs: asking the system for each takes as long as hashing a page. */
var drawn = Buffer.alloc(1792);
var usedBytes = drawn.length;
/**
* A new subscriber's secret: 224 random bits, as 43 characters that a link takes as they are. The second goes before them,
* as in a UUID of version 7: tokens that are made together stand together in their index, where each would otherwise have a
* page of its own read and written, however many readers there are.
*/
function newSubscriberToken(now = Date.now()) {
	if (usedBytes === drawn.length) {
		randomFillSync(drawn);
		usedBytes = 0;
	}
	const token = Buffer.alloc(tokenBytes);
	token.writeUInt32BE(Math.floor(now / 1e3) % 2 ** 32);
	const end = usedBytes + randomBytes;
	drawn.copy(token, timeBytes, usedBytes, end);
	drawn.fill(0, usedBytes, end);
	usedBytes = end;
	return token.toString("base64url");
}
/** Whether a text has the form of a token. Anything else is unknown without a look at the database. */
function isSubscriberToken(text) {
	return /^[\w-]{43}$/.test(text);
}
// contracts/newsletter-signup.ts
/**
* The body of `newsletter-signup`. `email` is checked by the feature, which answers `success: false` with a message
* for an address it can't take; `webhookUrl` is compared with the operator's own and never called otherwise.
*/
var newsletterSignupSchema = /* @__PURE__ */ object({
	email: /* @__PURE__ */ string("email must be text."),
	webhookUrl: /* @__PURE__ */ optional(/* @__PURE__ */ nullable(/* @__PURE__ */ string("webhookUrl must be text.")))
});
// node_modules/hono/dist/utils/html.js
/**
* @module
* HTML utility.
*/
var HtmlEscapedCallbackPhase = {
	Stringify: 1,
	BeforeStream: 2,
	Stream: 3
};
var raw = (value, callbacks) => {
	const escapedString = new String(value);
	escapedString.isEscaped = true;
	escapedString.callbacks = callbacks;
	return escapedString;
};
var escapeRe = /[&<>'"]/;
var stringBufferToString = async (buffer, callbacks) => {
	let str = "";
	callbacks ||= [];
	const resolvedBuffer = await Promise.all(buffer);
	for (let i = resolvedBuffer.length - 1;; i--) {
		str += resolvedBuffer[i];
		i--;
		if (i < 0) break;
		let r = resolvedBuffer[i];
		if (r == null || typeof r === "boolean") continue;
		if (typeof r === "number") {
			str += r;
			continue;
		}
		if (typeof r === "object") callbacks.push(...r.callbacks || []);
		const isEscaped = r.isEscaped;
		r = await (typeof r === "object" ? r.toString() : r);
		if (typeof r === "object") callbacks.push(...r.callbacks || []);
		if (r.isEscaped ?? isEscaped) str += r;
		else {
			const buf = [str];
			escapeToBuffer(r, buf);
			str = buf[0];
		}
	}
	return raw(str, callbacks);
};
var escapeToBuffer = (str, buffer) => {
	const match = str.search(escapeRe);
	if (match === -1) {
		buffer[0] += str;
		return;
	}
	let escape;
	let index;
	let lastIndex = 0;
	for (index = match; index < str.length; index++) {
		switch (str.charCodeAt(index)) {
			case 34:
				escape = "&quot;";
				break;
			case 39:
				escape = "&#39;";
				break;
			case 38:
				escape = "&amp;";
				break;
			case 60:
				escape = "&lt;";
				break;
			case 62:
				escape = "&gt;";
				break;
			default: continue;
		}
		buffer[0] += str.substring(lastIndex, index) + escape;
		lastIndex = index + 1;
	}
	buffer[0] += str.substring(lastIndex, index);
};
var resolveCallbackSync = (str) => {
	const callbacks = str.callbacks;
	if (!callbacks?.length) return str;
	const buffer = [str];
	const context = {};
	callbacks.forEach((c) => c({
		phase: HtmlEscapedCallbackPhase.Stringify,
		buffer,
		context
	}));
	return buffer[0];
};
// node_modules/hono/dist/helper/html/index.js
/**
* @module
* html Helper for Hono.
*/
var html$1 = (strings, ...values) => {
	const buffer = [""];
	for (let i = 0, len = strings.length - 1; i < len; i++) {
		buffer[0] += strings[i];
		const children = Array.isArray(values[i]) ? values[i].flat(Infinity) : [values[i]];
		for (let i = 0, len = children.length; i < len; i++) {
			const child = children[i];
			if (typeof child === "string") escapeToBuffer(child, buffer);
			else if (typeof child === "number") buffer[0] += child;
			else if (typeof child === "boolean" || child === null || child === void 0) continue;
			else if (typeof child === "object" && child.isEscaped) {
				if (child.callbacks) buffer.unshift("", child);
				else {
					const tmp = child.toString();
					if (tmp instanceof Promise) buffer.unshift("", tmp);
					else buffer[0] += tmp;
				}
			} else if (child instanceof Promise) buffer.unshift("", child);
			else escapeToBuffer(child.toString(), buffer);
		}
	}
	buffer[0] += strings.at(-1);
	return buffer.length === 1 ? "callbacks" in buffer ? raw(resolveCallbackSync(raw(buffer[0], buffer.callbacks))) : raw(buffer[0]) : stringBufferToString(buffer, buffer.callbacks);
};
// backend/email/html.ts
/** Hono's template, for values that need no waiting: text is escaped, markup and lists of markup stand as they are. */
function html(parts, ...values) {
	return html$1(parts, ...values);
}
// backend/email/mail-document.ts
/** For narrow screens and dark rooms; everything else stands at the elements. */
var styles = raw(`
@media (max-width: 480px) {
  .around { padding: 0 !important; }
  .sheet { border-width: 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: #0a1a33 !important; }
  .sheet { background-color: #0d2140 !important; border-color: #2c4a7c !important; }
  .words, .words h1 { color: #e9f0ff !important; }
  .second { color: #a9bde0 !important; }
  .words a { color: #9ec0ff !important; }
  .words a.button { color: #ffffff !important; }
  .chalk { background-color: #6c9bff !important; }
  .words code { background-color: #14305b !important; }
}
`);
/**
* A whole HTML email about something that somebody did: the firm's name and its line as type, what it is about, and the
* content. It needs no picture and no style sheet.
*/
function mailDocument({ title, sender, content }) {
	return html`<!doctype html>
<html lang="en-CA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${styles}</style>
</head>
<body class="paper" bgcolor="#eef2e9" style="margin:0;padding:0;background-color:#eef2e9">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#eef2e9"><tr><td class="around" align="center" style="padding:24px 12px 40px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#fafcf6" style="max-width:600px;background-color:#fafcf6;border:1px solid #c9d3c2"><tr><td class="words" align="left" style="padding:24px 28px 26px;color:#101a2b;font:16px/1.5 Archivo,Arial,Helvetica,sans-serif">
<p class="second" style="margin:0 0 8px;color:#46526a;font-size:14px;font-weight:bold">${sender}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="chalk" bgcolor="#1f4fd8" style="height:3px;background-color:#1f4fd8;font-size:1px;line-height:3px">&nbsp;</td></tr></table>
<h1 style="margin:20px 0 14px;color:#101a2b;font-size:22px;line-height:1.25">${title}</h1>
${content}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}
/** The one thing to do, and its address for those whose mail program shows no button. */
function mailButton({ address, words }) {
	return html`<p style="margin:20px 0"><a class="button" href="${address}" style="display:inline-block;padding:12px 20px;background-color:#1f4fd8;color:#ffffff;font-weight:bold;text-decoration:none">${words}</a></p>
<p>Or copy this address into your browser and press the button there:<br><a href="${address}" style="color:#1f4fd8;font-size:14px;word-break:break-all">${address}</a></p>`;
}
// backend/email/ask-to-confirm.ts
/** What a mail says that asks to open a page and press its button, and what happens to those who don't. */
function askToConfirm({ link, label, ignore }) {
	return {
		text: `To confirm, open this page and press the button on it:
${link}

${ignore}`,
		markup: html`${mailButton({
			address: link,
			words: label
		})}
<p>${ignore}</p>`
	};
}
// backend/email/mail-to-reader.ts
/**
* A mail to somebody who is a reader or may become one: why it comes, what there is to do, how to leave, and who sends it
* and how to reach them (CASL, s. 6(2)).
*/
function mailToReader({ deliveryId, createdAt, payload, site }, { subject, asked, text, markup, unsubscribe }) {
	const sender = `${site.name}, ${postalAddressAbroad(site)}`;
	const reach = `${site.email}, ${site.phone}`;
	const parts = [
		asked,
		text,
		...unsubscribe === null ? [] : [`To take the address off the list:\n${unsubscribe}`],
		`${sender}\n${reach}\n`
	];
	const leave = unsubscribe === null ? "" : html`<br><a href="${unsubscribe}" style="color:#1f4fd8">Take this address off the list</a>`;
	return {
		deliveryId,
		date: createdAt,
		to: {
			name: "",
			address: payload.email
		},
		subject,
		text: parts.join("\n\n"),
		html: mailDocument({
			title: subject,
			sender: site.name,
			content: html`<p>${asked}</p>
${markup}
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${sender}<br>${reach}${leave}</p>`
		}),
		headers: {
			"Auto-Submitted": "auto-generated",
			...listUnsubscribeHeaders(unsubscribe)
		}
	};
}
function listUnsubscribeHeaders(unsubscribe) {
	if (!unsubscribe?.startsWith("https://")) return {};
	return {
		"List-Unsubscribe": `<${unsubscribe}>`,
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
	};
}
// backend/email/newsletter-links.ts
/** The page that confirms a subscription. Opening it changes nothing: its button does, since scanners open links. */
function confirmLink(site, token) {
	return `${site.url}/newsletter/confirm?token=${encodeURIComponent(token)}`;
}
/** The page that ends a subscription, and the address of one-click unsubscribing (RFC 8058) when posted to. */
function unsubscribeLink(site, token) {
	return `${site.url}/newsletter/unsubscribe?token=${encodeURIComponent(token)}`;
}
// backend/email/confirmation-email.ts
/**
* Asks the holder of an address whether the sign-up was theirs. It promotes nothing, names the sender with a mailing
* address and carries an unsubscribe (CASL, s. 6(2); RFC 8058 for the headers, which ask for an https address).
*/
function confirmationEmail(options) {
	const { payload, site } = options;
	const { confirmToken = payload.token } = payload;
	if (confirmToken === null) return knownEmail(options);
	return signUpMail(options, {
		subject: `Confirm your subscription to ${newsletterName}`,
		...askToConfirm({
			link: confirmLink(site, confirmToken),
			label: "Confirm my subscription",
			ignore: "If it wasn't you, ignore this message: no newsletter is sent unless you confirm."
		})
	});
}
/** Tells a reader whose address was entered again that there is nothing to do. It promotes nothing either. */
function knownEmail(options) {
	const known = "It is already on the list and confirmed, so there is nothing to do and nothing has changed.";
	return signUpMail(options, {
		subject: `You are already subscribed to ${newsletterName}`,
		text: known,
		markup: html`<p>${known}</p>`
	});
}
/** What both mails are: who asked, what there is to do, and how to leave. */
function signUpMail(options, words) {
	const { payload, site } = options;
	return mailToReader(options, {
		...words,
		asked: `Someone, most likely you, entered this address at ${site.url} to get ${newsletterName}, the weekly newsletter of ${site.name}.`,
		unsubscribe: unsubscribeLink(site, payload.token)
	});
}
// content/toronto-time.ts
var format = new Intl.DateTimeFormat("en-US", {
	timeZone,
	year: "numeric",
	month: "long",
	day: "numeric",
	hour: "numeric",
	minute: "2-digit",
	timeZoneName: "short"
});
/** An ISO 8601 time as the firm's clock shows it: `November 21, 2026 at 9:05 AM EST`. */
function longTorontoTime(isoTime) {
	return format.format(new Date(isoTime));
}
// contracts/contact-form.ts
/** The subjects a visitor can choose, as value and label, in the order of the menu (specification, section 3). */
var contactSubjects = [
	{
		value: "automation-inquiry",
		label: "Automation Inquiry"
	},
	{
		value: "consultation-request",
		label: "Consultation Request"
	},
	{
		value: "pricing-information",
		label: "Pricing Information"
	},
	{
		value: "technical-support",
		label: "Technical Support"
	},
	{
		value: "partnership-opportunities",
		label: "Partnership Opportunities"
	},
	{
		value: "general-inquiry",
		label: "General Inquiry"
	}
];
/** Longest accepted value of each field, in UTF-16 code units, the unit of an input's `maxlength`. */
var contactLimits = {
	firstName: 100,
	lastName: 100,
	email: 254,
	company: 200,
	phone: 50,
	subject: 100,
	message: 1e4
};
var contactFields = Object.keys(contactLimits);
/** The label of a subject's value; the value itself where it is none of the menu's. */
function contactSubjectLabel(value) {
	return contactSubjects.find((subject) => subject.value === value)?.label ?? value;
}
// backend/email/visible-words.ts
var lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
var unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<![^\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f])/g;
var unseenInLines = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u206f]/g;
/** A stranger's words on one line, with what a mail program would obey and not show written out: `[U+202E]`. */
function visibleLine(text) {
	return text.replace(lineEndsAndTabs, " ").replace(unseen, writeOut).trim();
}
/** A stranger's text with its lines and tabs kept, and with what could reorder the text around it written out. */
function visibleLines(text) {
	return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unseenInLines, writeOut);
}
function writeOut(character) {
	return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
// backend/email/contact-email.ts
/** What the firm reads when a visitor has written: a reply goes to the visitor, whose words stand as quoted text. */
function contactEmail({ deliveryId, createdAt, payload, contactTo, site }) {
	const name = visibleLine(`${payload.firstName} ${payload.lastName}`);
	const topic = visibleLine(contactSubjectLabel(payload.subject));
	const form = payload.isQuick ? "Contact form (sent at a program's speed)" : "Contact form";
	const subject = topic ? `${form}: ${topic}, from ${name}` : `${form}, from ${name}`;
	const message = visibleLines(payload.message);
	const facts = [
		["Name", name],
		["Email", visibleLine(payload.email)],
		["Company", visibleLine(payload.company)],
		["Phone", visibleLine(payload.phone)],
		["Subject", topic],
		["Received", longTorontoTime(payload.receivedAt)],
		["Message number", String(payload.messageId)]
	].filter((fact) => fact[1] !== "");
	const canReply = isPlainAddress(payload.email);
	const ending = canReply ? `Sent through the contact form at ${site.url}. Your reply goes to the visitor.` : `Sent through the contact form at ${site.url}. No reply address could be set: see Email above.`;
	return {
		deliveryId,
		date: createdAt,
		to: contactTo,
		replyTo: canReply ? {
			name,
			address: payload.email
		} : void 0,
		subject,
		text: plainText(facts, message, ending),
		html: mailDocument({
			title: subject,
			sender: site.name,
			content: markup(facts, message, ending)
		})
	};
}
function plainText(facts, message, ending) {
	const lines = facts.map(([label, value]) => `${label}: ${value}`);
	const quoted = message.split("\n").map((line) => line === "" ? ">" : `> ${line}`);
	return `${[
		...lines,
		"",
		...quoted,
		"",
		ending
	].join("\n")}\n`;
}
function markup(facts, message, ending) {
	const cell = "padding:2px 16px 2px 0;font-size:15px;text-align:left;vertical-align:top;font-weight:normal";
	return html`<table style="border-collapse:collapse">
${facts.map(([label, value]) => html`<tr><th scope="row" class="second" style="${cell};color:#46526a">${label}</th><td dir="auto" style="${cell}">${value}</td></tr>
`)}</table>
<blockquote dir="auto" style="margin:24px 0;padding:0 0 0 16px;border-left:3px solid #1f4fd8;overflow-wrap:anywhere">
${message.split("\n").map((line, index) => index === 0 ? html`${line}` : html`<br>
${line}`)}
</blockquote>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`;
}
// node_modules/@stablelib/base64/lib/base64.js
var require_base64 = /* @__PURE__ */ __commonJSMin(((exports, module, this$2) => {
	var __extends = this$2 && this$2.__extends || (function() {
		var extendStatics = function(d, b) {
			extendStatics = Object.setPrototypeOf || { __proto__: [] } instanceof Array && function(d, b) {
				d.__proto__ = b;
			} || function(d, b) {
				for (var p in b) if (b.hasOwnProperty(p)) d[p] = b[p];
			};
			return extendStatics(d, b);
		};
		return function(d, b) {
			extendStatics(d, b);
			function __() {
				this.constructor = d;
			}
			d.prototype = b === null ? Object.create(b) : (__.prototype = b.prototype, new __());
		};
	})();
	Object.defineProperty(exports, "__esModule", { value: true });
	/**
	* Package base64 implements Base64 encoding and decoding.
	*/
	var INVALID_BYTE = 256;
	/**
	* Implements standard Base64 encoding.
	*
	* Operates in constant time.
	*/
	var Coder = function() {
		function Coder(_paddingCharacter) {
			if (_paddingCharacter === void 0) _paddingCharacter = "=";
			this._paddingCharacter = _paddingCharacter;
		}
		Coder.prototype.encodedLength = function(length) {
			if (!this._paddingCharacter) return (length * 8 + 5) / 6 | 0;
			return (length + 2) / 3 * 4 | 0;
		};
		Coder.prototype.encode = function(data) {
			var out = "";
			var i = 0;
			for (; i < data.length - 2; i += 3) {
				var c = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
				out += this._encodeByte(c >>> 18 & 63);
				out += this._encodeByte(c >>> 12 & 63);
				out += this._encodeByte(c >>> 6 & 63);
				out += this._encodeByte(c >>> 0 & 63);
			}
			var left = data.length - i;
			if (left > 0) {
				var c = data[i] << 16 | (left === 2 ? data[i + 1] << 8 : 0);
				out += this._encodeByte(c >>> 18 & 63);
				out += this._encodeByte(c >>> 12 & 63);
				if (left === 2) out += this._encodeByte(c >>> 6 & 63);
				else out += this._paddingCharacter || "";
				out += this._paddingCharacter || "";
			}
			return out;
		};
		Coder.prototype.maxDecodedLength = function(length) {
			if (!this._paddingCharacter) return (length * 6 + 7) / 8 | 0;
			return length / 4 * 3 | 0;
		};
		Coder.prototype.decodedLength = function(s) {
			return this.maxDecodedLength(s.length - this._getPaddingLength(s));
		};
		Coder.prototype.decode = function(s) {
			if (s.length === 0) return /* @__PURE__ */ new Uint8Array(0);
			var paddingLength = this._getPaddingLength(s);
			var length = s.length - paddingLength;
			var out = new Uint8Array(this.maxDecodedLength(length));
			var op = 0;
			var i = 0;
			var haveBad = 0;
			var v0 = 0, v1 = 0, v2 = 0, v3 = 0;
			for (; i < length - 4; i += 4) {
				v0 = this._decodeChar(s.charCodeAt(i + 0));
				v1 = this._decodeChar(s.charCodeAt(i + 1));
				v2 = this._decodeChar(s.charCodeAt(i + 2));
				v3 = this._decodeChar(s.charCodeAt(i + 3));
				out[op++] = v0 << 2 | v1 >>> 4;
				out[op++] = v1 << 4 | v2 >>> 2;
				out[op++] = v2 << 6 | v3;
				haveBad |= v0 & INVALID_BYTE;
				haveBad |= v1 & INVALID_BYTE;
				haveBad |= v2 & INVALID_BYTE;
				haveBad |= v3 & INVALID_BYTE;
			}
			if (i < length - 1) {
				v0 = this._decodeChar(s.charCodeAt(i));
				v1 = this._decodeChar(s.charCodeAt(i + 1));
				out[op++] = v0 << 2 | v1 >>> 4;
				haveBad |= v0 & INVALID_BYTE;
				haveBad |= v1 & INVALID_BYTE;
			}
			if (i < length - 2) {
				v2 = this._decodeChar(s.charCodeAt(i + 2));
				out[op++] = v1 << 4 | v2 >>> 2;
				haveBad |= v2 & INVALID_BYTE;
			}
			if (i < length - 3) {
				v3 = this._decodeChar(s.charCodeAt(i + 3));
				out[op++] = v2 << 6 | v3;
				haveBad |= v3 & INVALID_BYTE;
			}
			if (haveBad !== 0) throw new Error("Base64Coder: incorrect characters for decoding");
			return out;
		};
		Coder.prototype._encodeByte = function(b) {
			var result = b;
			result += 65;
			result += 25 - b >>> 8 & 6;
			result += 51 - b >>> 8 & -75;
			result += 61 - b >>> 8 & -15;
			result += 62 - b >>> 8 & 3;
			return String.fromCharCode(result);
		};
		Coder.prototype._decodeChar = function(c) {
			var result = INVALID_BYTE;
			result += (42 - c & c - 44) >>> 8 & -INVALID_BYTE + c - 43 + 62;
			result += (46 - c & c - 48) >>> 8 & -INVALID_BYTE + c - 47 + 63;
			result += (47 - c & c - 58) >>> 8 & -INVALID_BYTE + c - 48 + 52;
			result += (64 - c & c - 91) >>> 8 & -INVALID_BYTE + c - 65 + 0;
			result += (96 - c & c - 123) >>> 8 & -INVALID_BYTE + c - 97 + 26;
			return result;
		};
		Coder.prototype._getPaddingLength = function(s) {
			var paddingLength = 0;
			if (this._paddingCharacter) {
				for (var i = s.length - 1; i >= 0; i--) {
					if (s[i] !== this._paddingCharacter) break;
					paddingLength++;
				}
				if (s.length < 4 || paddingLength > 2) throw new Error("Base64Coder: incorrect padding");
			}
			return paddingLength;
		};
		return Coder;
	}();
	exports.Coder = Coder;
	var stdCoder = new Coder();
	function encode(data) {
		return stdCoder.encode(data);
	}
	exports.encode = encode;
	function decode(s) {
		return stdCoder.decode(s);
	}
	exports.decode = decode;
	/**
	* Implements URL-safe Base64 encoding.
	* (Same as Base64, but '+' is replaced with '-', and '/' with '_').
	*
	* Operates in constant time.
	*/
	var URLSafeCoder = function(_super) {
		__extends(URLSafeCoder, _super);
		function URLSafeCoder() {
			return _super !== null && _super.apply(this, arguments) || this;
		}
		URLSafeCoder.prototype._encodeByte = function(b) {
			var result = b;
			result += 65;
			result += 25 - b >>> 8 & 6;
			result += 51 - b >>> 8 & -75;
			result += 61 - b >>> 8 & -13;
			result += 62 - b >>> 8 & 49;
			return String.fromCharCode(result);
		};
		URLSafeCoder.prototype._decodeChar = function(c) {
			var result = INVALID_BYTE;
			result += (44 - c & c - 46) >>> 8 & -INVALID_BYTE + c - 45 + 62;
			result += (94 - c & c - 96) >>> 8 & -INVALID_BYTE + c - 95 + 63;
			result += (47 - c & c - 58) >>> 8 & -INVALID_BYTE + c - 48 + 52;
			result += (64 - c & c - 91) >>> 8 & -INVALID_BYTE + c - 65 + 0;
			result += (96 - c & c - 123) >>> 8 & -INVALID_BYTE + c - 97 + 26;
			return result;
		};
		return URLSafeCoder;
	}(Coder);
	exports.URLSafeCoder = URLSafeCoder;
	var urlSafeCoder = new URLSafeCoder();
	function encodeURLSafe(data) {
		return urlSafeCoder.encode(data);
	}
	exports.encodeURLSafe = encodeURLSafe;
	function decodeURLSafe(s) {
		return urlSafeCoder.decode(s);
	}
	exports.decodeURLSafe = decodeURLSafe;
	exports.encodedLength = function(length) {
		return stdCoder.encodedLength(length);
	};
	exports.maxDecodedLength = function(length) {
		return stdCoder.maxDecodedLength(length);
	};
	exports.decodedLength = function(s) {
		return stdCoder.decodedLength(s);
	};
}));
// node_modules/fast-sha256/sha256.js
var require_sha256 = /* @__PURE__ */ __commonJSMin(((exports, module, this$1) => {
	(function(root, factory) {
		var exports = {};
		factory(exports);
		var sha256 = exports["default"];
		for (var k in exports) sha256[k] = exports[k];
		if (typeof module === "object" && typeof module.exports === "object") module.exports = sha256;
		else if (typeof define === "function" && define.amd) define(function() {
			return sha256;
		});
		else root.sha256 = sha256;
	})(this$1, function(exports) {
		"use strict";
		exports.__esModule = true;
		exports.digestLength = 32;
		exports.blockSize = 64;
		var K = new Uint32Array([
			1116352408,
			1899447441,
			3049323471,
			3921009573,
			961987163,
			1508970993,
			2453635748,
			2870763221,
			3624381080,
			310598401,
			607225278,
			1426881987,
			1925078388,
			2162078206,
			2614888103,
			3248222580,
			3835390401,
			4022224774,
			264347078,
			604807628,
			770255983,
			1249150122,
			1555081692,
			1996064986,
			2554220882,
			2821834349,
			2952996808,
			3210313671,
			3336571891,
			3584528711,
			113926993,
			338241895,
			666307205,
			773529912,
			1294757372,
			1396182291,
			1695183700,
			1986661051,
			2177026350,
			2456956037,
			2730485921,
			2820302411,
			3259730800,
			3345764771,
			3516065817,
			3600352804,
			4094571909,
			275423344,
			430227734,
			506948616,
			659060556,
			883997877,
			958139571,
			1322822218,
			1537002063,
			1747873779,
			1955562222,
			2024104815,
			2227730452,
			2361852424,
			2428436474,
			2756734187,
			3204031479,
			3329325298
		]);
		function hashBlocks(w, v, p, pos, len) {
			var a, b, c, d, e, f, g, h, u, i, j, t1, t2;
			while (len >= 64) {
				a = v[0];
				b = v[1];
				c = v[2];
				d = v[3];
				e = v[4];
				f = v[5];
				g = v[6];
				h = v[7];
				for (i = 0; i < 16; i++) {
					j = pos + i * 4;
					w[i] = (p[j] & 255) << 24 | (p[j + 1] & 255) << 16 | (p[j + 2] & 255) << 8 | p[j + 3] & 255;
				}
				for (i = 16; i < 64; i++) {
					u = w[i - 2];
					t1 = (u >>> 17 | u << 15) ^ (u >>> 19 | u << 13) ^ u >>> 10;
					u = w[i - 15];
					t2 = (u >>> 7 | u << 25) ^ (u >>> 18 | u << 14) ^ u >>> 3;
					w[i] = (t1 + w[i - 7] | 0) + (t2 + w[i - 16] | 0);
				}
				for (i = 0; i < 64; i++) {
					t1 = (((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) | 0) + (h + (K[i] + w[i] | 0) | 0) | 0;
					t2 = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
					h = g;
					g = f;
					f = e;
					e = d + t1 | 0;
					d = c;
					c = b;
					b = a;
					a = t1 + t2 | 0;
				}
				v[0] += a;
				v[1] += b;
				v[2] += c;
				v[3] += d;
				v[4] += e;
				v[5] += f;
				v[6] += g;
				v[7] += h;
				pos += 64;
				len -= 64;
			}
			return pos;
		}
		var Hash = function() {
			function Hash() {
				this.digestLength = exports.digestLength;
				this.blockSize = exports.blockSize;
				this.state = /* @__PURE__ */ new Int32Array(8);
				this.temp = /* @__PURE__ */ new Int32Array(64);
				this.buffer = /* @__PURE__ */ new Uint8Array(128);
				this.bufferLength = 0;
				this.bytesHashed = 0;
				this.finished = false;
				this.reset();
			}
			Hash.prototype.reset = function() {
				this.state[0] = 1779033703;
				this.state[1] = 3144134277;
				this.state[2] = 1013904242;
				this.state[3] = 2773480762;
				this.state[4] = 1359893119;
				this.state[5] = 2600822924;
				this.state[6] = 528734635;
				this.state[7] = 1541459225;
				this.bufferLength = 0;
				this.bytesHashed = 0;
				this.finished = false;
				return this;
			};
			Hash.prototype.clean = function() {
				for (var i = 0; i < this.buffer.length; i++) this.buffer[i] = 0;
				for (var i = 0; i < this.temp.length; i++) this.temp[i] = 0;
				this.reset();
			};
			Hash.prototype.update = function(data, dataLength) {
				if (dataLength === void 0) dataLength = data.length;
				if (this.finished) throw new Error("SHA256: can't update because hash was finished.");
				var dataPos = 0;
				this.bytesHashed += dataLength;
				if (this.bufferLength > 0) {
					while (this.bufferLength < 64 && dataLength > 0) {
						this.buffer[this.bufferLength++] = data[dataPos++];
						dataLength--;
					}
					if (this.bufferLength === 64) {
						hashBlocks(this.temp, this.state, this.buffer, 0, 64);
						this.bufferLength = 0;
					}
				}
				if (dataLength >= 64) {
					dataPos = hashBlocks(this.temp, this.state, data, dataPos, dataLength);
					dataLength %= 64;
				}
				while (dataLength > 0) {
					this.buffer[this.bufferLength++] = data[dataPos++];
					dataLength--;
				}
				return this;
			};
			Hash.prototype.finish = function(out) {
				if (!this.finished) {
					var bytesHashed = this.bytesHashed;
					var left = this.bufferLength;
					var bitLenHi = bytesHashed / 536870912 | 0;
					var bitLenLo = bytesHashed << 3;
					var padLength = bytesHashed % 64 < 56 ? 64 : 128;
					this.buffer[left] = 128;
					for (var i = left + 1; i < padLength - 8; i++) this.buffer[i] = 0;
					this.buffer[padLength - 8] = bitLenHi >>> 24 & 255;
					this.buffer[padLength - 7] = bitLenHi >>> 16 & 255;
					this.buffer[padLength - 6] = bitLenHi >>> 8 & 255;
					this.buffer[padLength - 5] = bitLenHi >>> 0 & 255;
					this.buffer[padLength - 4] = bitLenLo >>> 24 & 255;
					this.buffer[padLength - 3] = bitLenLo >>> 16 & 255;
					this.buffer[padLength - 2] = bitLenLo >>> 8 & 255;
					this.buffer[padLength - 1] = bitLenLo >>> 0 & 255;
					hashBlocks(this.temp, this.state, this.buffer, 0, padLength);
					this.finished = true;
				}
				for (var i = 0; i < 8; i++) {
					out[i * 4 + 0] = this.state[i] >>> 24 & 255;
					out[i * 4 + 1] = this.state[i] >>> 16 & 255;
					out[i * 4 + 2] = this.state[i] >>> 8 & 255;
					out[i * 4 + 3] = this.state[i] >>> 0 & 255;
				}
				return this;
			};
			Hash.prototype.digest = function() {
				var out = new Uint8Array(this.digestLength);
				this.finish(out);
				return out;
			};
			Hash.prototype._saveState = function(out) {
				for (var i = 0; i < this.state.length; i++) out[i] = this.state[i];
			};
			Hash.prototype._restoreState = function(from, bytesHashed) {
				for (var i = 0; i < this.state.length; i++) this.state[i] = from[i];
				this.bytesHashed = bytesHashed;
				this.finished = false;
				this.bufferLength = 0;
			};
			return Hash;
		}();
		exports.Hash = Hash;
		var HMAC = function() {
			function HMAC(key) {
				this.inner = new Hash();
				this.outer = new Hash();
				this.blockSize = this.inner.blockSize;
				this.digestLength = this.inner.digestLength;
				var pad = new Uint8Array(this.blockSize);
				if (key.length > this.blockSize) new Hash().update(key).finish(pad).clean();
				else for (var i = 0; i < key.length; i++) pad[i] = key[i];
				for (var i = 0; i < pad.length; i++) pad[i] ^= 54;
				this.inner.update(pad);
				for (var i = 0; i < pad.length; i++) pad[i] ^= 106;
				this.outer.update(pad);
				this.istate = /* @__PURE__ */ new Uint32Array(8);
				this.ostate = /* @__PURE__ */ new Uint32Array(8);
				this.inner._saveState(this.istate);
				this.outer._saveState(this.ostate);
				for (var i = 0; i < pad.length; i++) pad[i] = 0;
			}
			HMAC.prototype.reset = function() {
				this.inner._restoreState(this.istate, this.inner.blockSize);
				this.outer._restoreState(this.ostate, this.outer.blockSize);
				return this;
			};
			HMAC.prototype.clean = function() {
				for (var i = 0; i < this.istate.length; i++) this.ostate[i] = this.istate[i] = 0;
				this.inner.clean();
				this.outer.clean();
			};
			HMAC.prototype.update = function(data) {
				this.inner.update(data);
				return this;
			};
			HMAC.prototype.finish = function(out) {
				if (this.outer.finished) this.outer.finish(out);
				else {
					this.inner.finish(out);
					this.outer.update(out, this.digestLength).finish(out);
				}
				return this;
			};
			HMAC.prototype.digest = function() {
				var out = new Uint8Array(this.digestLength);
				this.finish(out);
				return out;
			};
			return HMAC;
		}();
		exports.HMAC = HMAC;
		function hash(data) {
			var h = new Hash().update(data);
			var digest = h.digest();
			h.clean();
			return digest;
		}
		exports.hash = hash;
		exports["default"] = hash;
		function hmac(key, data) {
			var h = new HMAC(key).update(data);
			var digest = h.digest();
			h.clean();
			return digest;
		}
		exports.hmac = hmac;
		function fillBuffer(buffer, hmac, info, counter) {
			var num = counter[0];
			if (num === 0) throw new Error("hkdf: cannot expand more");
			hmac.reset();
			if (num > 1) hmac.update(buffer);
			if (info) hmac.update(info);
			hmac.update(counter);
			hmac.finish(buffer);
			counter[0]++;
		}
		var hkdfSalt = new Uint8Array(exports.digestLength);
		function hkdf(key, salt, info, length) {
			if (salt === void 0) salt = hkdfSalt;
			if (length === void 0) length = 32;
			var counter = new Uint8Array([1]);
			var hmac_ = new HMAC(hmac(salt, key));
			var buffer = new Uint8Array(hmac_.digestLength);
			var bufpos = buffer.length;
			var out = new Uint8Array(length);
			for (var i = 0; i < length; i++) {
				if (bufpos === buffer.length) {
					fillBuffer(buffer, hmac_, info, counter);
					bufpos = 0;
				}
				out[i] = buffer[bufpos++];
			}
			hmac_.clean();
			buffer.fill(0);
			counter.fill(0);
			return out;
		}
		exports.hkdf = hkdf;
		function pbkdf2(password, salt, iterations, dkLen) {
			var prf = new HMAC(password);
			var len = prf.digestLength;
			var ctr = /* @__PURE__ */ new Uint8Array(4);
			var t = new Uint8Array(len);
			var u = new Uint8Array(len);
			var dk = new Uint8Array(dkLen);
			for (var i = 0; i * len < dkLen; i++) {
				var c = i + 1;
				ctr[0] = c >>> 24 & 255;
				ctr[1] = c >>> 16 & 255;
				ctr[2] = c >>> 8 & 255;
				ctr[3] = c >>> 0 & 255;
				prf.reset();
				prf.update(salt);
				prf.update(ctr);
				prf.finish(u);
				for (var j = 0; j < len; j++) t[j] = u[j];
				for (var j = 2; j <= iterations; j++) {
					prf.reset();
					prf.update(u).finish(u);
					for (var k = 0; k < len; k++) t[k] ^= u[k];
				}
				for (var j = 0; j < len && i * len + j < dkLen; j++) dk[i * len + j] = t[j];
			}
			for (var i = 0; i < len; i++) t[i] = u[i] = 0;
			for (var i = 0; i < 4; i++) ctr[i] = 0;
			prf.clean();
			return dk;
		}
		exports.pbkdf2 = pbkdf2;
	});
}));
// node_modules/standardwebhooks/dist/timing_safe_equal.js
var require_timing_safe_equal = /* @__PURE__ */ __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.timingSafeEqual = timingSafeEqual;
	function assert(expr, msg = "") {
		if (!expr) throw new Error(msg);
	}
	function timingSafeEqual(a, b) {
		if (a.byteLength !== b.byteLength) return false;
		if (!(a instanceof DataView)) a = new DataView(ArrayBuffer.isView(a) ? a.buffer : a);
		if (!(b instanceof DataView)) b = new DataView(ArrayBuffer.isView(b) ? b.buffer : b);
		assert(a instanceof DataView);
		assert(b instanceof DataView);
		const length = a.byteLength;
		let out = 0;
		let i = -1;
		while (++i < length) out |= a.getUint8(i) ^ b.getUint8(i);
		return out === 0;
	}
}));
// backend/outbox/delivery.ts
var import_dist = (/* @__PURE__ */ __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.Webhook = exports.WebhookVerificationError = void 0;
	var base64 = require_base64();
	var sha256 = require_sha256();
	var timing_safe_equal_1 = require_timing_safe_equal();
	var WEBHOOK_TOLERANCE_IN_SECONDS = 300;
	var ExtendableError = class ExtendableError extends Error {
		constructor(message) {
			super(message);
			Object.setPrototypeOf(this, ExtendableError.prototype);
			this.name = "ExtendableError";
			this.stack = new Error(message).stack;
		}
	};
	var WebhookVerificationError = class WebhookVerificationError extends ExtendableError {
		constructor(message) {
			super(message);
			Object.setPrototypeOf(this, WebhookVerificationError.prototype);
			this.name = "WebhookVerificationError";
		}
	};
	exports.WebhookVerificationError = WebhookVerificationError;
	var Webhook = class Webhook {
		constructor(secret, options) {
			if ((options === null || options === void 0 ? void 0 : options.format) === "raw") {
				if (secret instanceof Uint8Array) this.key = secret;
				else this.key = Uint8Array.from(secret, (c) => c.charCodeAt(0));
			} else {
				if (typeof secret !== "string") throw new Error("Expected secret to be of type string");
				if (secret.startsWith(Webhook.prefix)) secret = secret.substring(Webhook.prefix.length);
				this.key = base64.decode(secret);
			}
			if (this.key.length === 0) throw new Error("Secret can't be empty.");
		}
		verify(payload, headers, options) {
			var _a;
			const jsonParse = (_a = options === null || options === void 0 ? void 0 : options.jsonParse) !== null && _a !== void 0 ? _a : true;
			const normalizedHeaders = {};
			for (const key of Object.keys(headers)) normalizedHeaders[key.toLowerCase()] = headers[key];
			const msgId = normalizedHeaders["webhook-id"];
			const msgSignature = normalizedHeaders["webhook-signature"];
			const msgTimestamp = normalizedHeaders["webhook-timestamp"];
			if (!msgSignature || !msgId || !msgTimestamp) throw new WebhookVerificationError("Missing required headers");
			const timestamp = this.verifyTimestamp(msgTimestamp);
			const expectedSignature = this.sign(msgId, timestamp, payload).split(",")[1];
			const passedSignatures = msgSignature.split(" ");
			const encoder = new globalThis.TextEncoder();
			for (const versionedSignature of passedSignatures) {
				const [version, signature] = versionedSignature.split(",");
				if (version !== "v1") continue;
				if ((0, timing_safe_equal_1.timingSafeEqual)(encoder.encode(signature), encoder.encode(expectedSignature))) {
					const payloadString = payload.toString();
					if (payloadString === "") return;
					if (jsonParse) return JSON.parse(payloadString);
					else return;
				}
			}
			throw new WebhookVerificationError("No matching signature found");
		}
		sign(msgId, timestamp, payload) {
			if (typeof payload === "string") {} else if (payload.constructor.name === "Buffer") payload = payload.toString();
			else throw new Error("Expected payload to be of type string or Buffer.");
			const encoder = new TextEncoder();
			const timestampNumber = Math.floor(timestamp.getTime() / 1e3);
			const toSign = encoder.encode(`${msgId}.${timestampNumber}.${payload}`);
			return `v1,${base64.encode(sha256.hmac(this.key, toSign))}`;
		}
		verifyTimestamp(timestampHeader) {
			const now = Math.floor(Date.now() / 1e3);
			const timestamp = parseInt(timestampHeader, 10);
			if (Number.isNaN(timestamp)) throw new WebhookVerificationError("Invalid Signature Headers");
			if (now - timestamp > WEBHOOK_TOLERANCE_IN_SECONDS) throw new WebhookVerificationError("Message timestamp too old");
			if (timestamp > now + WEBHOOK_TOLERANCE_IN_SECONDS) throw new WebhookVerificationError("Message timestamp too new");
			return /* @__PURE__ */ new Date(timestamp * 1e3);
		}
	};
	exports.Webhook = Webhook;
	Webhook.prefix = "whsec_";
})))();
/** A delivery that no further attempt can save. The row fails at once. */
var PermanentDeliveryError = class extends Error {
	name = "PermanentDeliveryError";
};
/** The receiver has answered that it won't take the delivery. It is asked a few times more, far apart. */
var RefusedDeliveryError = class extends Error {
	name = "RefusedDeliveryError";
};
// backend/webhooks/deliver-webhook.ts
/** An answer is waited for this long. */
var defaultTimeoutMs = 15e3;
/** Of an answer's body no more than this is read; the beginning of it explains a refusal. */
var answerMaxBytes = 4096;
var excerptMaxLength = 200;
/**
* Posts an event to the operator's webhook by the Standard Webhooks specification. Resolves on a 2xx answer. Rejects on
* anything else: as a refusal on a redirect or a 4xx, for good on 410 Gone.
*/
async function deliverWebhook({ url, secret, deliveryId, event, signal, timeoutMs = defaultTimeoutMs }) {
	const body = JSON.stringify(event);
	const timeout = AbortSignal.timeout(timeoutMs);
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			...webhookHeaders({
				secret,
				deliveryId,
				body,
				sentAt: /* @__PURE__ */ new Date()
			})
		},
		body,
		redirect: "manual",
		signal: signal ? AbortSignal.any([signal, timeout]) : timeout
	});
	const excerpt = await readExcerpt(response);
	if (response.ok) return;
	const refusal = `The webhook answered ${response.status}${excerpt ? `: ${excerpt}` : ""}`;
	throw Object.assign(errorOf(response.status, refusal), {
		statusCode: response.status,
		foreignWords: true
	});
}
/** Answers of a receiver that may take the event a little later. */
var laterStatuses = /* @__PURE__ */ new Set([
	408,
	425,
	429
]);
/** 410 ends it, as the Standard Webhooks specification has it; another 4xx, or a redirect, seldom changes. */
function errorOf(status, refusal) {
	if (status === 410) return new PermanentDeliveryError(refusal);
	if (status >= 500 || laterStatuses.has(status)) return new Error(refusal);
	return new RefusedDeliveryError(refusal);
}
function webhookHeaders({ secret, deliveryId, body, sentAt }) {
	const unsigned = {
		"webhook-id": deliveryId,
		"webhook-timestamp": String(Math.floor(sentAt.getTime() / 1e3))
	};
	if (secret === null) return unsigned;
	return {
		...unsigned,
		"webhook-signature": new import_dist.Webhook(secret).sign(deliveryId, sentAt, body)
	};
}
async function readExcerpt(response) {
	if (!response.body) return "";
	const decoder = new TextDecoder();
	const reader = response.body.getReader();
	let text = "";
	let bytes = 0;
	try {
		while (bytes < answerMaxBytes) {
			const { done, value } = await reader.read();
			if (done) break;
			bytes += value.byteLength;
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		return text.slice(0, excerptMaxLength);
	} finally {
		reader.cancel().catch(() => {});
	}
	return text.slice(0, excerptMaxLength).trim();
}
// backend/email/literal-words.ts
/** Of the 75 characters that an encoded word may have (RFC 2047, section 2), as Nodemailer keeps to it. */
var wordMaxLength = 52;
/** Nodemailer puts a name of ASCII between quotation marks, and this header under its own name as it stands. */
var ownReplyTo = "X-Own-Reply-To";
/**
* Subject and Reply-To so that they are read as they were typed. Nodemailer leaves words alone that are encoded words
* already (`=?utf-8?Q?Boss?=`), and mail programs decode them, between quotation marks too: such words are encoded once
* more.
*/
function literalWords({ subject, replyTo }) {
	const literalSubject = readsAsEncoded(subject) ? encoded(subject) : subject;
	if (!replyTo || !readsAsEncoded(replyTo.name)) return {
		subject: literalSubject,
		replyTo,
		headers: []
	};
	const [local = "", domain = ""] = replyTo.address.split("@");
	return {
		subject: literalSubject,
		replyTo: void 0,
		headers: [{
			key: ownReplyTo,
			value: `${encoded(replyTo.name)} <${local}@${domainToASCII(domain) || domain}>`
		}],
		normalizeHeaderKey: (key) => key === ownReplyTo ? "Reply-To" : key
	};
}
function readsAsEncoded(words) {
	return words.includes("=?");
}
function encoded(words) {
	return encodeWord(words, "B", wordMaxLength);
}
// deploy/supabase/source/send-mail.ts
/** A function may work for some minutes after its answer; a mail server that is silent for longer is tried later. */
var connectionTimeoutMs = 1e4;
var socketTimeoutMs = 3e4;
/** The way to the mail server, for what one call sends. */
function createSendMail({ smtpUrl, mailFrom, site }) {
	const transport = nodemailer.createTransport({
		url: smtpUrl,
		pool: true,
		maxConnections: 1,
		maxRequeues: 0,
		connectionTimeout: connectionTimeoutMs,
		greetingTimeout: connectionTimeoutMs,
		socketTimeout: socketTimeoutMs,
		disableFileAccess: true,
		disableUrlAccess: true
	});
	const { hostname } = new URL(site.url);
	return {
		async send(message) {
			const { deliveryId, to, date, html, text, headers = {} } = message;
			const { headers: literalHeaders, ...literal } = literalWords(message);
			await transport.sendMail({
				...literal,
				from: mailFrom,
				to,
				text,
				date: new Date(date),
				messageId: `<${deliveryId}@${hostname}>`,
				html: html.toString(),
				headers: [...Object.entries(headers).map(([key, value]) => ({
					key,
					value
				})), ...literalHeaders]
			});
		},
		close: () => transport.close()
	};
}
// deploy/supabase/source/outbox.ts
/** Sent after one answer; what is left goes with the next, or with the timer's call. */
var atOnce = 5;
/** With pauses that double from a minute to six hours, they span two and a half days. */
var maxAttempts = 16;
var firstPauseSeconds = 60;
var longestPauseSeconds = 21600;
/** In the transaction of what it follows from. */
async function enqueue(client, kind, payload) {
	await client.query("insert into chalkline.outbox (kind, payload) values ($1, $2)", [kind, JSON.stringify(payload)]);
}
/**
* Sends what is due. A row is claimed by putting its next attempt off, so that no two instances send the same one, and
* one that dies in between leaves it to the next. A repeat has the same Message-ID or webhook id.
*/
async function deliverWaiting({ pool, settings }) {
	const { rows } = await pool.query(`update chalkline.outbox as mine
     set attempts = mine.attempts + 1,
         due_at = now() + make_interval(secs => least($2 * power(2, mine.attempts), $3))
     where mine.delivery_id in (
       select delivery_id from chalkline.outbox
       where delivered_at is null and due_at <= now() and attempts < $4
       order by due_at limit $1 for update skip locked
     )
     returning mine.delivery_id, mine.kind, mine.payload, mine.created_at`, [
		atOnce,
		firstPauseSeconds,
		longestPauseSeconds,
		maxAttempts
	]);
	if (rows.length === 0) return;
	const mailer = createSendMail(settings);
	try {
		for (const row of rows) {
			const fault = await deliver(row, mailer, settings).then(() => null, (error) => error instanceof Error ? error.message : String(error));
			await pool.query(fault === null ? "update chalkline.outbox set delivered_at = now(), last_error = null where delivery_id = $1" : "update chalkline.outbox set last_error = $2 where delivery_id = $1", fault === null ? [row.delivery_id] : [row.delivery_id, fault.slice(0, 500)]);
		}
	} finally {
		mailer.close();
	}
}
async function deliver({ delivery_id: deliveryId, kind, payload, created_at }, mailer, { site, contactTo, webhook }) {
	const about = {
		deliveryId,
		createdAt: created_at.toISOString(),
		site
	};
	if (kind === "contact-email") {
		const words = payload;
		await mailer.send(contactEmail({
			...about,
			payload: words,
			contactTo
		}));
	} else if (kind === "confirmation-email") {
		const words = payload;
		await mailer.send(confirmationEmail({
			...about,
			payload: words
		}));
	} else if (webhook) {
		const event = payload;
		await deliverWebhook({
			...webhook,
			deliveryId,
			event
		});
	}
}
// deploy/supabase/source/newsletter.ts
var messages = {
	invalid: "Please enter a valid email address.",
	duplicate: "This email is already subscribed to our newsletter. If you have not confirmed it yet, open the link in our confirmation email.",
	subscribed: "Thank you for subscribing to our newsletter. We send it to confirmed addresses only: to confirm yours, open the link in our confirmation email.",
	confirmed: `Your subscription to ${newsletterName} is confirmed.`,
	unknown: "This link is not valid. Please check that it is complete, or subscribe again.",
	left: `This address has been taken off the list. Subscribe again to receive ${newsletterName}.`,
	unsubscribed: `You’re unsubscribed. We won’t send you ${newsletterName} again.`
};
var taken = (duplicate) => ({
	status: 200,
	body: {
		success: true,
		duplicate,
		message: duplicate ? messages.duplicate : messages.subscribed
	}
});
/**
* `newsletter-signup`: `{ email }` → `{ success, duplicate, message }`. A mailbox counts once, however its address is
* spelled, is asked to confirm first, and is mailed once an hour at most. A webhook that the body names is never called.
*/
async function signUp(call) {
	const { pool, settings, visitor, headers } = call;
	const read = readFields(newsletterSignupSchema, call.body);
	if (!read.ok) return refused(read);
	const email = readAddress(read.values.email);
	const mailbox = email === null ? null : findMailbox(email);
	if (email === null || mailbox === null) return {
		status: 200,
		body: {
			success: false,
			duplicate: false,
			message: messages.invalid
		}
	};
	const tooMany = await refusalOfTooMany(call, "signUp", {
		email,
		visitor
	});
	if (tooMany) return tooMany;
	const consent = consentOf(settings.site, {
		referrer: headers.get("Referer"),
		requestUrl: settings.site.url,
		clientAddress: visitor
	});
	return await inTransaction(pool, async (client) => {
		const token = newSubscriberToken();
		const { rows } = await client.query(`insert into chalkline.subscribers as known
         (mailbox, email, state, token, consent_text, consent_page, consent_address, subscribed_at)
       values ($1, $2, 'unconfirmed', $3, $4, $5, $6, now())
       on conflict (mailbox) do update set
         email = excluded.email, state = excluded.state, token = excluded.token,
         consent_text = excluded.consent_text, consent_page = excluded.consent_page,
         consent_address = excluded.consent_address, subscribed_at = excluded.subscribed_at,
         confirmed_at = null, unsubscribed_at = null
       where known.state = 'unsubscribed'
       returning state, token, true as is_new`, [
			mailbox,
			email,
			token,
			consent.wording,
			consent.page,
			consent.networkAddress
		]);
		const isNew = rows.length > 0;
		const mailed = await client.query(`update chalkline.subscribers set last_mail_at = now()
       where mailbox = $1 and state = 'unconfirmed'
         and (last_mail_at is null or last_mail_at < now() - make_interval(secs => $2))
       returning email, token`, [mailbox, confirmationPauseMs / 1e3]);
		for (const { email: to, token: theirs } of mailed.rows) await enqueue(client, "confirmation-email", {
			email: to,
			token: theirs
		});
		if (isNew) await tell(client, call, "newsletter.subscribed", email);
		return taken(!isNew);
	});
}
var tokenSchema = /* @__PURE__ */ object({ token: /* @__PURE__ */ string("token must be text.") });
/** `newsletter-confirm`: `{ token }` → `{ success, reason?, message }`. */
async function confirm(call) {
	const token = readToken(call);
	if (token === null) return notDone("unknown_token", messages.unknown);
	return await inTransaction(call.pool, async (client) => {
		const { rows } = await client.query("select state, email from chalkline.subscribers where token = $1 for update", [token]);
		const [found] = rows;
		if (!found) return notDone("unknown_token", messages.unknown);
		if (found.state === "unsubscribed") return notDone("unsubscribed", messages.left);
		if (found.state === "unconfirmed") {
			await client.query("update chalkline.subscribers set state = 'confirmed', confirmed_at = now() where token = $1", [token]);
			await tell(client, call, "newsletter.confirmed", found.email);
		}
		return {
			status: 200,
			body: {
				success: true,
				message: messages.confirmed
			}
		};
	});
}
/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`. */
async function unsubscribe(call) {
	const token = readToken(call);
	const unknown = `This link is not valid. Write to ${call.settings.site.email} and we will take your address off the list.`;
	if (token === null) return notDone("unknown_token", unknown);
	return await inTransaction(call.pool, async (client) => {
		const { rows } = await client.query(`update chalkline.subscribers as reader
       set state = 'unsubscribed', unsubscribed_at = coalesce(reader.unsubscribed_at, now())
       from (select mailbox, state as was from chalkline.subscribers where token = $1 for update) as before
       where reader.mailbox = before.mailbox
       returning before.was, reader.email`, [token]);
		const [found] = rows;
		if (!found) return notDone("unknown_token", unknown);
		if (found.was !== "unsubscribed") await tell(client, call, "newsletter.unsubscribed", found.email);
		return {
			status: 200,
			body: {
				success: true,
				message: messages.unsubscribed
			}
		};
	});
}
function readToken({ body }) {
	const read = readFields(tokenSchema, body);
	return read.ok && isSubscriberToken(read.values.token) ? read.values.token : null;
}
function notDone(reason, message) {
	return {
		status: 200,
		body: {
			success: false,
			reason,
			message
		}
	};
}
async function tell(client, { settings }, type, email) {
	if (!settings.webhook) return;
	await enqueue(client, "newsletter-webhook", {
		type,
		timestamp: (/* @__PURE__ */ new Date()).toISOString(),
		data: { email }
	});
}
// backend/contact/submission-key.ts
/** Edited words under the same key are a new message: none is ever taken for a repeat of another. */
function submissionKey(idempotencyKey, message) {
	const parts = [idempotencyKey, ...contactFields.map((field) => message[field])];
	return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
// contracts/contact-message.ts
/**
* A contact message as it crosses the wire to `send-contact-email`. Every field is trimmed text; company, phone and
* subject may be missing or empty. Unknown fields are dropped. The subject is not checked against the menu.
*/
var contactMessageSchema = /* @__PURE__ */ object({
	firstName: singleLineText("First name", {
		max: contactLimits.firstName,
		required: true
	}),
	lastName: singleLineText("Last name", {
		max: contactLimits.lastName,
		required: true
	}),
	email: emailAddress("Email"),
	company: /* @__PURE__ */ optional(singleLineText("Company", { max: contactLimits.company }), ""),
	phone: /* @__PURE__ */ optional(singleLineText("Phone", { max: contactLimits.phone }), ""),
	subject: /* @__PURE__ */ optional(singleLineText("Subject", { max: contactLimits.subject }), ""),
	message: multiLineText("Message", {
		max: contactLimits.message,
		required: true
	})
});
// contracts/idempotency-key.ts
/** What names one send of a form, so that a repeat makes one message: visible ASCII characters, which a header can carry. */
var idempotencyKeyShape = /^[\u0021-\u007e]{1,200}$/;
// deploy/supabase/source/send-contact-email.ts
/** `send-contact-email`: the seven fields → `{ success: true }`. The same key and words make one message. */
async function sendContactEmail(call) {
	const { pool, visitor, headers } = call;
	const key = headers.get("Idempotency-Key");
	if (key !== null && !idempotencyKeyShape.test(key)) return refused({
		ok: false,
		status: 400,
		error: "Idempotency-Key has to be 1 to 200 visible ASCII characters."
	});
	const read = readFields(contactMessageSchema, call.body);
	if (!read.ok) return refused(read);
	const message = read.values;
	const tooMany = await refusalOfTooMany(call, "message", {
		email: message.email,
		visitor
	});
	if (tooMany) return tooMany;
	const receivedAt = (/* @__PURE__ */ new Date()).toISOString();
	await inTransaction(pool, async (client) => {
		const { rows } = await client.query(`insert into chalkline.contact_messages
         (first_name, last_name, email, company, phone, subject, message, submission_key, sender_address, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (submission_key) do nothing
       returning id`, [
			message.firstName,
			message.lastName,
			message.email,
			message.company,
			message.phone,
			message.subject,
			message.message,
			key && submissionKey(key, message),
			visitor,
			receivedAt
		]);
		const [inserted] = rows;
		if (!inserted) return;
		await enqueue(client, "contact-email", {
			...message,
			messageId: Number(inserted.id),
			receivedAt
		});
	});
	return {
		status: 200,
		body: { success: true }
	};
}
// deploy/supabase/source/settings.ts
/** Set with `supabase secrets set`; SUPABASE_DB_URL is the project's own. Throws, naming all that are missing. */
function readSettings(env) {
	const missing = [];
	const need = (name) => {
		const value = env[name]?.trim() ?? "";
		if (value === "") missing.push(name);
		return value;
	};
	const optional = (name) => env[name]?.trim() || null;
	const siteEmail = need("SITE_EMAIL");
	const webhookUrl = optional("NEWSLETTER_WEBHOOK_URL");
	const settings = {
		databaseUrl: need("SUPABASE_DB_URL"),
		site: {
			url: need("SITE_URL").replace(/\/+$/, ""),
			name: need("SITE_NAME"),
			email: siteEmail,
			phone: need("SITE_PHONE"),
			street: need("SITE_STREET"),
			postalCode: need("SITE_POSTAL_CODE")
		},
		smtpUrl: need("SMTP_URL"),
		mailFrom: optional("MAIL_FROM") ?? siteEmail,
		contactTo: optional("CONTACT_TO") ?? siteEmail,
		webhook: webhookUrl === null ? null : {
			url: webhookUrl,
			secret: optional("WEBHOOK_SECRET")
		},
		trustedProxies: (optional("TRUSTED_PROXIES") ?? "").split(",").map((part) => part.trim()).filter(Boolean)
	};
	if (missing.length > 0) throw new Error(`These secrets of the functions are not set: ${missing.join(", ")}.`);
	return settings;
}
// deploy/supabase/source/functions.ts
var functions = {
	"newsletter-signup": signUp,
	"newsletter-confirm": confirm,
	"newsletter-unsubscribe": unsubscribe,
	"send-contact-email": sendContactEmail
};
/** A project's pool has few connections, and an instance of a function answers few requests at once. */
var maxConnections = 2;
var statementTimeoutMs = 5e3;
var headers = {
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Allow-Methods": "POST, OPTIONS",
	"Access-Control-Allow-Headers": "authorization, x-client-info, apikey, content-type, x-retry-count, idempotency-key, form-evidence",
	"Access-Control-Expose-Headers": "retry-after",
	"Access-Control-Max-Age": "86400",
	"Cache-Control": "no-store"
};
/**
* The two forms and the links in mail as functions of a hosted project: the site's own rules, words and mails over the
* tables of `migrations/`. What waits in the outbox is sent after every answer, and counts that are past are forgotten; a call by GET does
* that and nothing else, for the project's own timer.
*/
function createFunctions(env) {
	const settings = readSettings(env);
	const pool = new pg.Pool({
		connectionString: settings.databaseUrl,
		max: maxConnections,
		statement_timeout: statementTimeoutMs,
		allowExitOnIdle: true
	});
	pool.on("error", () => {});
	const deps = {
		settings,
		pool
	};
	const readVisitor = createVisitorReader(settings.trustedProxies);
	async function answerCall(request) {
		const run = functions[new URL(request.url).pathname.split("/").at(-1) ?? ""];
		if (!run) return refusal(404, "There is no such function.");
		if (request.method === "GET") return {
			status: 200,
			body: { success: true }
		};
		if (request.method !== "POST") return refusal(405, "Only POST is answered here.");
		const read = await readJsonObject(request);
		if (!read.ok) return refusal(read.status, read.error);
		try {
			const visitor = readVisitor(request.headers);
			return await run({
				...deps,
				body: read.body,
				headers: request.headers,
				visitor
			});
		} catch (error) {
			console.error(`A function failed: ${error instanceof Error ? error.message : "unknown"}`);
			return failure;
		}
	}
	return {
		async answer(request) {
			if (request.method === "OPTIONS") return new Response("ok", { headers });
			const { status, body, retryAfterSeconds } = await answerCall(request);
			const tidied = deliverWaiting(deps).then(() => forgetPastCounts(pool)).catch((error) => {
				console.error(`The database can't be read: ${error instanceof Error ? error.message : ""}`);
			});
			if (typeof EdgeRuntime === "undefined") await tidied;
			else EdgeRuntime.waitUntil(tidied);
			const retryAfter = retryAfterSeconds && { "Retry-After": String(retryAfterSeconds) };
			return Response.json(body, {
				status,
				headers: {
					...headers,
					...retryAfter
				}
			});
		},
		close: () => pool.end()
	};
}
/**
* Reads the visitor's address. Who connected is what the project's gateway says, in `CF-Connecting-IP` or last in
* `X-Forwarded-For`; where that is a trusted proxy, such as the site's own server, what it wrote before itself is
* believed, as the site itself believes its proxies.
*/
function createVisitorReader(trustedProxies) {
	const read = createClientAddressReader(trustedProxies);
	return (headers) => {
		const hops = (headers.get("X-Forwarded-For") ?? "").split(",").map((hop) => hop.trim());
		const connected = headers.get("CF-Connecting-IP")?.trim() || (hops.at(-1) ?? "");
		const at = hops.lastIndexOf(connected);
		const before = at === -1 ? [] : hops.slice(0, at);
		return read({
			socketAddress: connected || null,
			forwardedFor: before.join(",")
		});
	};
}
export { createFunctions };

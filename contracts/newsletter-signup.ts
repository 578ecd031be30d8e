import * as v from "valibot";

/**
 * The body of `newsletter-signup`. `email` is checked by the feature, which answers `success: false` with a message
 * for an address it can't take; `webhookUrl` is compared with the operator's own and never called otherwise.
 */
export const newsletterSignupSchema = v.object({
  email: v.string("email must be text."),
  webhookUrl: v.optional(v.nullable(v.string("webhookUrl must be text."))),
});

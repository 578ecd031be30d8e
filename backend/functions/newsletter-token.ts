import * as v from "valibot";

const tokenMaxLength = 200;

/** The body of the functions behind links in mail. */
export const newsletterTokenSchema = v.object({
  token: v.pipe(
    v.string("token must be text."),
    v.nonEmpty("token is required."),
    v.maxLength(tokenMaxLength, `token is longer than ${tokenMaxLength} characters.`),
  ),
});

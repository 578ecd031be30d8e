import * as v from "valibot";

const tokenMaxLength = 200;

/** The body of the functions behind links in mail. `way` is how somebody leaves: by the page's button, or a mail program's. */
export const newsletterTokenSchema = v.object({
  token: v.pipe(
    v.string("token must be text."),
    v.nonEmpty("token is required."),
    v.maxLength(tokenMaxLength, `token is longer than ${tokenMaxLength} characters.`),
  ),
  way: v.optional(v.picklist(["link", "one_click"], "way is link or one_click.")),
});

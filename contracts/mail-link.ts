/** Longest secret of a link in mail that is taken for one; ours are far shorter. */
export const mailLinkTokenMaxLength = 200;

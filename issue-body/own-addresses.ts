/** Where the site serves a picture that it keeps itself: by the SHA-256 of its bytes, so that it never changes. */
export const ownPicturePath = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

/** The page of an issue on this site, whatever the site's own address is. */
export const ownIssuePath = /^\/newsletter\/[1-9]\d{0,14}$/;

/** The language of every word on the site (BCP 47). */
export const languageTag = "en-CA";

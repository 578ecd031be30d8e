export const languageTag = "en-CA";

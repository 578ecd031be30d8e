import { isbot } from "isbot";

/** Longer than any browser's. */
const userAgentMaxLength = 512;

/** Browsers' own words for themselves repeat; the whole list of programs takes 5 µs, a third of a page. */
const rememberedMax = 500;

/**
 * Gives a check whether a `User-Agent` is a program's by its own words. What it has read lately is remembered, in memory
 * alone and with nothing else.
 */
export function createBotCheck(): (userAgent: string | undefined) => boolean {
  const remembered = new Map<string, boolean>();
  return (userAgent = "") => {
    if (userAgent === "" || userAgent.length > userAgentMaxLength) return true;
    const known = remembered.get(userAgent);
    if (known !== undefined) return known;
    if (remembered.size >= rememberedMax) remembered.clear();
    const isBot = isbot(userAgent);
    remembered.set(userAgent, isBot);
    return isBot;
  };
}

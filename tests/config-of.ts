import { type Config, readConfig } from "#settings/settings.ts";

/** The settings of an environment. Throws with the mistakes in it. */
export function configOf(env: Record<string, string>): Config {
  const read = readConfig({ PORT: "0", HOST: "127.0.0.1", ...env });
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes));
  return read.config;
}

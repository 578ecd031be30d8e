/**
 * What a command has to say, in both of its forms: `json` for `--json`, `text` for people. Exports give `stream`
 * instead, which goes to standard output as it is.
 */
export type CommandResult =
  | { json: unknown; text: string; exitCode?: 0 | 1 }
  | { stream: AsyncIterable<string> | string[] };

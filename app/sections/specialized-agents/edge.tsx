import type { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { HeadedText } from "../use-case/headed-text.tsx";

/** Why the small firm has the easier job of it. */
export function Edge(edge: (typeof specializedAgents)["edge"]) {
  return (
    <section className="wrap edge">
      <HeadedText {...edge} />
    </section>
  );
}

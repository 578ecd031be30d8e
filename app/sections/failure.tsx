import { useLocation } from "react-router";
import { failure } from "#content/pages/not-found.ts";

/**
 * Shown if rendering failed. The retry form works without scripts and repeats the query, which a GET form would drop.
 */
export function Failure() {
  const asked = [...new URLSearchParams(useLocation().search)];
  return (
    <section className="wrap section masthead">
      <title>{failure.title}</title>
      <h1>{failure.heading}</h1>
      <p className="lede">{failure.text}</p>
      <form>
        {asked.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there more than once, and none changes places.
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button button-primary">
          {failure.retry}
        </button>
      </form>
    </section>
  );
}

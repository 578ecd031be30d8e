import { useLocation } from "react-router";
import { failure } from "#content/pages/not-found.ts";

/**
 * What a visitor sees when a page could not be made. The form works without scripts: it asks for the same address again,
 * with what had been asked of it, which a form that is sent by GET would leave out by itself.
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

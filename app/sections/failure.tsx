import { failure } from "#content/pages/not-found.ts";

/** What a visitor sees when a page could not be made. The form works without scripts: it asks for the same address again. */
export function Failure() {
  return (
    <section className="wrap py-[clamp(48px,8vw,104px)]">
      <title>{failure.title}</title>
      <h1>{failure.heading}</h1>
      <p className="lede mt-5 max-w-[46ch]">{failure.text}</p>
      <form className="mt-8">
        <button type="submit" className="button button-primary">
          {failure.retry}
        </button>
      </form>
    </section>
  );
}

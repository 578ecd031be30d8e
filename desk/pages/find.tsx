import { Form, Link, useLoaderData } from "react-router";
import { deskContext, type PageArgs } from "../desk-context.ts";
import { askedFor, find } from "../find.ts";
import { Empty, Page } from "../ui.tsx";

export async function loader({ context, request }: PageArgs) {
  const asked = askedFor(request);
  return { asked, found: await find(context.get(deskContext), asked) };
}

/** What the palette does, as a page: without scripts, and by its address. */
export default function Find() {
  const { asked, found } = useLoaderData<typeof loader>();
  return (
    <Page title="Find">
      <Form className="search" role="search">
        <input
          type="search"
          name="q"
          aria-label="Find"
          placeholder="A page, an issue, a name, an address, a setting"
          defaultValue={asked}
        />
        <button className="button" type="submit">
          Find
        </button>
      </Form>
      {found.length === 0 && <Empty>Nothing has these words. Try a part of one.</Empty>}
      {found.map(({ group, hits }) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul className="list">
            {hits.map(({ to, title, about }) => (
              <li key={to + title}>
                <Link to={to}>
                  <b>{title || "Untitled"}</b>
                  <span>{about}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Page>
  );
}

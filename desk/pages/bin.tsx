import { useLoaderData } from "react-router";
import { listBin } from "#newsletter/issues/bin.ts";
import { deskOf, inParts, type PageArgs, partOf } from "../desk-context.ts";
import { Act, Empty, Page, Parts, When } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const part = partOf(args.request);
  return { binned: inParts(await listBin(db, part), part) };
}

export default function Bin() {
  const { binned } = useLoaderData<typeof loader>();
  return (
    <Page title="Bin" back={{ to: "/issues", name: "Issues" }}>
      <p>
        What you delete stays here for thirty days. An issue that is restored is public again, at
        the address that it had.
      </p>
      {binned.rows.length === 0 && <Empty>The bin is empty.</Empty>}
      <ul className="list">
        {binned.rows.map(({ kind, id, title, binnedAt }) => (
          <li key={kind + id} className="with-button">
            <p>
              <b>{title || "Untitled"}</b> <span>{kind}</span> <When at={binnedAt} />
            </p>
            <div className="actions">
              <Act action="/issues" intent="restore" fields={{ kind, id }}>
                Restore
              </Act>
            </div>
          </li>
        ))}
      </ul>
      <Parts {...binned} of="?" name="ones" />
    </Page>
  );
}

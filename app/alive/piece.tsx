import type { ReactNode } from "react";

/**
 * Makes a part of a page that has state into a piece: the server renders it with its properties beside it, and the page's
 * script (app/entry.client.tsx) brings it alive. `name` is its name in that script's list. Properties are plain data.
 */
export function piece<Props extends object>(name: string, Part: (props: Props) => ReactNode) {
  function Piece(props: Props) {
    return (
      <div className="piece" data-piece={name} data-props={JSON.stringify(props)}>
        <Part {...props} />
      </div>
    );
  }
  Piece.Part = Part;
  return Piece;
}

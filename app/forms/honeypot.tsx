import { honeypot } from "#content/honeypot.ts";

/** The name is one that programs like to fill in, and no browser fills in by itself. */
export const honeypotField = "website";

const honeypotMaxLength = 200;

/**
 * A field for programs. People can't see, reach or hear it: it is clipped away, inert and out of the accessibility tree,
 * and password managers are asked to leave it alone. Where a page has no styles its label says what to do. What fills
 * it in all the same may still be a person's, so it is held and not dropped.
 */
export function Honeypot({ id }: { id: string }) {
  return (
    <div className="honeypot" aria-hidden="true" inert>
      <label htmlFor={id}>{honeypot.label}</label>
      <input
        id={id}
        name={honeypotField}
        type="text"
        tabIndex={-1}
        autoComplete="off"
        maxLength={honeypotMaxLength}
        // 1Password, LastPass, Bitwarden and Dashlane, in this order.
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}

import { searchForm } from "#content/site.ts";
import { Label } from "../drawings/pens.tsx";

type SearchFormProps = {
  query?: string;
  isAside?: boolean;
};

export function SearchForm({ query = "", isAside = false }: SearchFormProps) {
  return (
    <search>
      <form action={`${searchForm.path}#results`}>
        <label className="field-label" htmlFor="q">
          {searchForm.label}
        </label>
        <div className="field-row">
          <input
            className="field-input"
            type="search"
            id="q"
            name="q"
            defaultValue={query}
            maxLength={searchForm.maxLength}
            autoComplete="off"
            enterKeyHint="search"
          />
          <button type="submit" className={`button ${isAside ? "" : "button-primary"}`}>
            {searchForm.submit}
          </button>
        </div>
      </form>
    </search>
  );
}

export function MissedMark() {
  return (
    <svg className="drawing missed-mark" aria-hidden="true">
      <line className="hidden-line" x1="62%" x2="100%" y1="120" y2="120" />
      <line className="route" pathLength="1" x2="62%" y1="120" y2="120" />
      <line className="dimension" x2="62%" y1="62" y2="62" />
      <Label x="31%" y="42" textAnchor="middle" text="as far as we got" />
      <svg x="62%" overflow="visible" aria-hidden="true">
        <path className="arrow" d="m0 62-9-3.5v7z" />
        <path
          className="route"
          d="M0 120c13 1 21 7 23 19 3 17-11 27-5 45 5 15 22 15 25 2 2-10-10-14-15-6"
        />
      </svg>
      <circle className="part" cy="120" r="7" />
      <svg x="100%" overflow="visible" aria-hidden="true">
        <path className="cross" d="m-40 106 28 28m0-28-28 28" />
      </svg>
      <Label x="100%" dx="-12" y="90" textAnchor="end" text="no mark here" />
    </svg>
  );
}

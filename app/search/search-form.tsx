import { searchForm } from "#content/site.ts";

type SearchFormProps = {
  query?: string;
  isAside?: boolean;
};

export function SearchForm({ query = "", isAside = false }: SearchFormProps) {
  return (
    <search>
      <form action={searchForm.path}>
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

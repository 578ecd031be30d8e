import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { Failure } from "./error-pages.tsx";

function fieldsAt(address: string): string[] {
  const markup = renderToStaticMarkup(
    <MemoryRouter initialEntries={[address]}>
      <Failure />
    </MemoryRouter>,
  );
  return markup.match(/<input[^>]*>/g) ?? [];
}

test("trying a failed search again asks for the same words", () => {
  expect(fieldsAt("/search?q=invoice+%26+payroll")).toEqual([
    '<input type="hidden" name="q" value="invoice &amp; payroll"/>',
  ]);
});

test("trying a page again that was asked nothing asks nothing", () => {
  expect(fieldsAt("/about")).toEqual([]);
});

import type { UseCase } from "#content/use-case.ts";

/** Home, the overview, and the use case itself. */
export function crumbsOfUseCase({ name, head }: Pick<UseCase, "name" | "head">) {
  return [
    { name: "Home", path: "/" },
    { name: "Use Cases", path: "/use-cases" },
    { name, path: head.path },
  ];
}

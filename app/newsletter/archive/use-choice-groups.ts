import { useContext } from "react";
import { PartsOfDocument } from "../issue/parts-of-document.ts";
import type { ChoiceGroup } from "./archive.ts";

/** Names the dropdown, for the browser that takes over the page. */
export const choiceId = "issue-choice";

/** The options that came with the page, as they stood in it. */
let choiceOfPage: ChoiceGroup[] | null = null;

/** The dropdown's options: from the loader's data, or, with the page's first data, from where they already are. */
export function useChoiceGroups(choice: ChoiceGroup[] | null): ChoiceGroup[] {
  const parts = useContext(PartsOfDocument);
  if (choice) return choice;
  if (parts) return parts.choice ?? [];
  choiceOfPage ??= readChoice(document.querySelector(`#${choiceId}`));
  return choiceOfPage;
}

/** Every option but 'Latest Issue', in the groups that they stand in. */
function readChoice(select: Element | null): ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  for (const option of select?.querySelectorAll("option:not([value=''])") ?? []) {
    const label = option.closest("optgroup")?.label ?? null;
    const last = groups.at(-1);
    const group = last?.label === label ? last : { label, options: [] };
    if (group !== last) groups.push(group);
    group.options.push({
      id: Number(option.getAttribute("value")),
      label: option.textContent ?? "",
    });
  }
  return groups;
}

import type { NodeViewRenderer } from "@tiptap/core";
import { decoded } from "#issue-body/body-tree.ts";
import type { StoredPicture } from "../pages/draft-requests.ts";

/**
 * The files that were pasted or dropped. Office puts a picture of what was copied beside its words, which count; Finder and
 * Files put a file's name or address beside it, which doesn't.
 */
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const lines = (data?.getData("text/plain") ?? "").trim().split(/[\r\n]+/);
  const isName = (line: string) => files.some(({ name }) => decoded(line).endsWith(name));
  return lines.every((line) => line === "" || isName(line)) ? files : [];
}

/** The site stores it upright, no wider than needed, and without what a camera wrote beside it, such as the place. */
export async function storePicture(file: File, draftId: number): Promise<StoredPicture> {
  const address = `/issues/drafts/${draftId}/pictures`;
  const answer = await fetch(address, { method: "POST", body: file }).catch(() => null);
  const stored: StoredPicture | null = (await answer?.json().catch(() => null)) ?? null;
  if (stored?.ok) return stored;
  const problem = stored?.problem ?? "It could not be stored: there is no connection.";
  return { ok: false, problem: `“${file.name}”: ${problem}` };
}

/** A picture with the description that is read aloud, and shown where pictures are off. */
export const pictureView: NodeViewRenderer = ({ node: picture, editor, getPos }) => {
  const dom = document.createElement("span");
  dom.className = "picture";
  dom.contentEditable = "false";
  const image = document.createElement("img");
  const description = document.createElement("input");
  description.placeholder = "Describe it, for whoever doesn’t see it";
  description.setAttribute("aria-label", "Description of the picture");
  description.addEventListener("input", () => {
    const at = getPos();
    if (at === undefined) return;
    editor.view.dispatch(editor.state.tr.setNodeAttribute(at, "alt", description.value));
  });
  dom.append(image, description);
  function show({ attrs: { src, alt, width } }: typeof picture): void {
    // The desk fetches nothing from elsewhere; the preview does.
    const isOwn = String(src).startsWith("/pictures/");
    if (isOwn && image.getAttribute("src") !== src) image.src = src;
    dom.title = isOwn ? "" : `A picture at ${src}`;
    image.alt = alt;
    if (width) image.setAttribute("width", width);
    if (document.activeElement !== description) description.value = alt;
    dom.classList.toggle("undescribed", !alt);
  }
  show(picture);
  return {
    dom,
    update(next) {
      if (next.type !== picture.type) return false;
      show(next);
      return true;
    },
    selectNode: () => dom.classList.add("selected"),
    deselectNode: () => dom.classList.remove("selected"),
    stopEvent: ({ target }) => target === description,
    ignoreMutation: () => true,
  };
};

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { formatBytes } from "#content/amounts.ts";
import { type AddressPlace, decoded } from "#issue-body/body-tree.ts";
import { type Picture, pictureMaxBytes, picturePath, readPicture } from "#newsletter/pictures.ts";

/**
 * Takes in the pictures that an issue's file names by a relative address and that are in its folder or below. An address
 * that leads to no file stays as it is. A picture that can't be stored becomes one of the `faults`.
 */
export function openPicturesBeside(file: string | null) {
  const pictures = new Map<string, Picture>();
  const faults = new Set<string>();

  function addressOf({ is, address }: AddressPlace): string | null {
    const place = file === null ? null : fileBeside(file, address);
    if (place === null) return null;
    if (place.bytes > pictureMaxBytes) {
      if (is === "picture")
        faults.add(`the picture ${address} is larger than ${formatBytes(pictureMaxBytes)}.`);
      return null;
    }
    const picture = readPicture(readFileSync(place.path));
    if (picture === null) {
      if (is === "picture") faults.add(`the picture ${address} is no PNG, JPEG, GIF or WebP.`);
      return null;
    }
    pictures.set(picturePath(picture), picture);
    return picturePath(picture);
  }

  return { addressOf, pictures, faults };
}

function fileBeside(file: string, address: string): { path: string; bytes: number } | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)) return null;
  const folder = dirname(file);
  const path = resolve(folder, decoded(address.replace(/[?#].*$/s, "")));
  if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { path, bytes: found.size } : null;
}

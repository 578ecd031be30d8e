import { type ComponentType, type ReactNode, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { bringTelephoneAlive } from "./drawings/telephone.tsx";
import { CalculationSheet } from "./forms/calculation-sheet.tsx";
import { ContactForm } from "./forms/contact-form.tsx";
import { bringArchiveAlive } from "./newsletter/archive-alive.ts";
import { SubscribeForm } from "./newsletter/subscribe-form.tsx";
import { bringBackButtonAlive } from "./sections/legal/back-button.tsx";
import { bringMenuAlive } from "./sections/menu-alive.ts";
import { FactsContext, factsId, type SiteFacts } from "./site-facts.ts";
import { bringOpenNowAlive } from "./ui/open-now.tsx";

// Started by app/alive/first-hand.js. Single listeners come first, then one piece after another, so
// that the page answers between them.

declare global {
  interface Window {
    keptPresses?: Set<HTMLElement>;
  }
}

type Piece = { Part: (props: never) => ReactNode };
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** By their names in the page. */
const pieces: Record<string, Piece> = {
  CalculationSheet,
  ContactForm,
  SubscribeForm,
};

const presses = window.keptPresses ?? new Set<HTMLElement>();
const facts: SiteFacts = JSON.parse(document.getElementById(factsId)?.textContent ?? "");

bringMenuAlive();
bringBackButtonAlive();
bringArchiveAlive();
bringTelephoneAlive();
bringOpenNowAlive(facts);
answerPresses((element) => !element.closest(".piece"));
bringPiecesAlive();

/** A top-level await would make the bundler split this script. */
async function bringPiecesAlive(): Promise<void> {
  await nextTurn();
  for (const element of piecesInOrder()) {
    await bringAlive(element, pieces[element.dataset.piece ?? ""]);
  }
  document.documentElement.dataset.alive = "";
}

/** Pressed and focused pieces first. */
function piecesInOrder(): HTMLElement[] {
  const used = [...presses, document.activeElement];
  const isUsed = (piece: Element) => used.some((element) => piece.contains(element));
  const all = [...document.querySelectorAll<HTMLElement>(".piece")];
  return [...all.filter(isUsed), ...all.filter((piece) => !isUsed(piece))];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

async function bringAlive(element: HTMLElement, piece: Piece | undefined): Promise<void> {
  const { piece: name = "", props = "{}" } = element.dataset;
  const Part = piece?.Part as ComponentType<object> | undefined;
  if (!Part) throw new Error(`No piece is named ${name}.`);
  const pressable = [...element.querySelectorAll("[data-press]")];
  const focused = document.activeElement;
  const typed = [...element.querySelectorAll<Field>("input[id], select[id], textarea[id]")].map(
    (field) => ({ field, value: field.value }),
  );
  await new Promise<void>((onAlive) => {
    hydrateRoot(
      element,
      <FactsContext value={facts}>
        <Part {...JSON.parse(props)} />
        <WhenAlive do={onAlive} />
      </FactsContext>,
    );
  });
  // React renders a piece anew if an extension has changed it.
  for (const { field, value } of typed) {
    if (field.isConnected) continue;
    const successor = document.getElementById(field.id);
    if (successor) (successor as Field).value = value;
  }
  if (focused && !focused.isConnected) {
    document.getElementById(focused.id)?.focus({ preventScroll: true });
  }
  await nextTurn();
  answerPresses((pressed) => pressable.includes(pressed));
}

/** Its effect runs once the piece answers events. */
function WhenAlive({ do: onAlive }: { do: () => void }): null {
  useLayoutEffect(onAlive, [onAlive]);
  return null;
}

function answerPresses(isAlive: (element: Element) => boolean): void {
  for (const element of document.querySelectorAll("[data-press]")) {
    if (isAlive(element)) element.removeAttribute("data-press");
  }
  for (const element of presses) {
    if (!isAlive(element)) continue;
    presses.delete(element);
    element.removeAttribute("aria-busy");
    element.click();
  }
}

import { type ComponentType, type ReactNode, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { ContactForm } from "./forms/contact-form.tsx";
import { bringArchiveAlive } from "./newsletter/archive-alive.ts";
import { SubscribeForm } from "./newsletter/subscribe-form.tsx";
import { DueRuler } from "./objects/due-ruler.tsx";
import { Gauge } from "./objects/gauge.tsx";
import { Inbox } from "./objects/inbox.tsx";
import { Telephone } from "./objects/telephone.tsx";
import { bringBookingAlive, whenWidgetIsThere } from "./scheduling/booking-button.tsx";
import { bringBackButtonAlive } from "./sections/legal/back-button.tsx";
import { bringMenuAlive } from "./sections/menu-alive.ts";
import { FactsContext, factsId, type SiteFacts } from "./site-facts.ts";
import { bringLinksAlive } from "./ui/link.tsx";
import { NoticeBoard } from "./ui/notices.tsx";
import { bringOpenNowAlive } from "./ui/open-now.tsx";
import { bringTabsAlive } from "./ui/tabs.tsx";
import { CalculationSheet } from "./worksheet/calculation-sheet.tsx";

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
  NoticeBoard,
  SubscribeForm,
};

/** Hydrated at first use. A chunk of their own would import this script again after a failed try. */
const latePieces: Record<string, Piece> = { DueRuler, Gauge, Inbox, Telephone };

const presses = window.keptPresses ?? new Set<HTMLElement>();
const facts: SiteFacts = JSON.parse(document.getElementById(factsId)?.textContent ?? "");

bringMenuAlive();
bringBookingAlive();
bringTabsAlive();
bringLinksAlive();
bringBackButtonAlive();
bringArchiveAlive();
bringOpenNowAlive(facts);
answerPresses((element) => !element.closest(".piece"));
bringPiecesAlive();

/** A top-level await would make the bundler split this script. */
async function bringPiecesAlive(): Promise<void> {
  await nextTurn();
  for (const element of piecesInOrder()) {
    const late = latePieces[element.dataset.piece ?? ""];
    if (late) bringAliveWhenUsed(element, late);
    else await bringAlive(element, pieces[element.dataset.piece ?? ""]);
  }
  document.documentElement.dataset.alive = "";
}

function isUsed(piece: Element): boolean {
  return [...presses, document.activeElement].some((element) => piece.contains(element));
}

/** Pressed and focused pieces first. */
function piecesInOrder(): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(".piece")];
  return all.sort((one, other) => Number(isUsed(other)) - Number(isUsed(one)));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function bringAliveWhenUsed(element: HTMLElement, piece: Piece): void {
  const uses = ["pointerdown", "focusin", "input", "click"];
  function bring() {
    for (const use of uses) element.removeEventListener(use, bring);
    void bringAlive(element, piece);
  }
  for (const use of uses) element.addEventListener(use, bring);
  if (isUsed(element)) bring();
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
    if (element.dataset.booking) whenWidgetIsThere(() => element.click());
    else element.click();
  }
}

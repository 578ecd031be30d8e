import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { Notice } from "#content/notices.ts";
import { noticeWords } from "#content/site.ts";
import { piece } from "../alive/piece.tsx";

const maxNotices = 3;

type ShownNotice = Notice & { id: number; source: string };

let lastId = 0;
let shown: readonly ShownNotice[] = [];
const onChange = new Set<() => void>();

function change(next: readonly ShownNotice[]): void {
  shown = next.slice(-maxNotices);
  for (const tell of onChange) tell();
}

/** Replaces the same source's earlier one. */
export function showNotice(notice: Notice, source: string): void {
  clearNotice(source);
  lastId += 1;
  change([...shown, { ...notice, source, id: lastId }]);
}

export function clearNotice(source: string): void {
  change(shown.filter((one) => one.source !== source));
}

function closeNotice(id: number): void {
  change(shown.filter((one) => one.id !== id));
}

function subscribe(tell: () => void) {
  onChange.add(tell);
  return () => onChange.delete(tell);
}

const readShown = () => shown;

/** In the first HTML: screen readers often miss a region that arrives with its text. */
export const NoticeBoard = piece("NoticeBoard", () => {
  const shown = useSyncExternalStore(subscribe, readShown, readShown);
  const board = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const [isPaused, setIsPaused] = useState(false);
  const isEmpty = shown.length === 0;
  // A closed slip fires no leaving event.
  useEffect(() => {
    if (isEmpty) setIsPaused(false);
  }, [isEmpty]);

  /** Returns the focus to where it was, or to the page. */
  function closeAndReturn(id: number) {
    const hadFocus = board.current?.contains(document.activeElement);
    closeNotice(id);
    if (!hadFocus) return;
    const target = before.current?.isConnected ? before.current : document.querySelector("main");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** Unless a dialog or menu is open. */
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const newest = shown.at(-1);
    const isTaken = document.querySelector("dialog[open], :is(:popover-open)");
    if (!newest || event.key !== "Escape" || event.defaultPrevented || isTaken) return;
    closeAndReturn(newest.id);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  const slips = (style: Notice["style"]) =>
    shown
      .filter((notice) => notice.style === style)
      .map((notice) => (
        <TimedSlip
          key={notice.id}
          notice={notice}
          isPaused={isPaused}
          onClose={() => closeAndReturn(notice.id)}
        />
      ));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only stop the clock while somebody reads.
    <div
      className="notice-board"
      ref={board}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={({ relatedTarget }) => {
        setIsPaused(true);
        if (relatedTarget && !board.current?.contains(relatedTarget))
          before.current = relatedTarget;
      }}
      onBlur={() => setIsPaused(false)}
    >
      <div role="alert" aria-live="assertive" aria-atomic="false">
        {slips("destructive")}
      </div>
      <div role="status" aria-live="polite" aria-atomic="false">
        {slips("neutral")}
      </div>
    </div>
  );
});

type TimedSlipProps = { notice: ShownNotice; isPaused: boolean; onClose: () => void };

/** Destructive notices stay; neutral ones leave unless pointed at or focused. */
function TimedSlip({ notice, isPaused, onClose }: TimedSlipProps) {
  const { style } = notice;
  const onEnd = useEffectEvent(onClose);
  useEffect(() => {
    if (style === "destructive" || isPaused) return;
    const timer = setTimeout(() => onEnd(), 10_000);
    return () => clearTimeout(timer);
  }, [style, isPaused]);
  return <NoticeSlip notice={notice} onClose={onClose} />;
}

type NoticeSlipProps = {
  notice: Notice;
  /** Absent in pages without scripts. */
  onClose?: () => void;
  /** So that a screen reader starts here. */
  autoFocus?: boolean;
};

export function NoticeSlip({ notice, onClose, autoFocus = false }: NoticeSlipProps) {
  const { style, title, text } = notice;
  const isPartOfPage = !onClose;
  return (
    <div
      className={`sheet notice notice-${style}`}
      // On the board the region announces it.
      role={isPartOfPage ? (style === "destructive" ? "alert" : "status") : undefined}
      {...(autoFocus ? { autoFocus: true, tabIndex: -1 } : {})}
    >
      <NoticeMark style={style} />
      <div className="notice-words">
        <p className="notice-title">{title}</p>
        <p>{text}</p>
        {onClose && <p className="sr-only">{noticeWords.hint}</p>}
      </div>
      {onClose && (
        <button type="button" className="notice-close" onClick={onClose}>
          <svg width="18" height="18" viewBox="0 0 22 22" aria-hidden="true">
            <path d="m3.5 3.5 15 15m0-15-15 15" stroke="currentColor" strokeWidth="2.4" />
          </svg>
          <span className="sr-only">{noticeWords.close}</span>
          <span className="notice-key lettering" aria-hidden="true">
            {noticeWords.key}
          </span>
        </button>
      )}
    </div>
  );
}

function NoticeMark({ style }: { style: Notice["style"] }) {
  return (
    <svg
      width="26"
      height="26"
      viewBox="0 0 26 26"
      fill="none"
      color="var(--notice-line)"
      stroke="currentColor"
      strokeWidth="3.6"
      aria-hidden="true"
    >
      {style === "neutral" ? <path d="m5 14 5.5 6L21 6.5" /> : <path d="M13 4.5v11M13 19.2v2.8" />}
    </svg>
  );
}

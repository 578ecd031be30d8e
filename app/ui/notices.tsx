import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import type { Notice } from "#content/notices.ts";
import { noticeWords } from "#content/site.ts";

let shown: Notice | null = null;
const onChange = new Set<() => void>();

/** Replaces the one before. */
export function showNotice(notice: Notice | null): void {
  shown = notice && { ...notice };
  for (const tell of onChange) tell();
}

function subscribe(tell: () => void) {
  onChange.add(tell);
  return () => onChange.delete(tell);
}

const readShown = () => shown;

const regions = {
  destructive: { role: "alert", "aria-live": "assertive" },
  neutral: { role: "status", "aria-live": "polite" },
} as const;

/**
 * In the flow of its form, so that no control is ever below it. In the first HTML: screen readers
 * often miss a region that arrives with its text.
 */
export function NoticeBoard({ isHere = true }: { isHere?: boolean }) {
  const latest = useSyncExternalStore(subscribe, readShown, readShown);
  const notice = isHere ? latest : null;
  const board = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);

  /** Returns the focus to where it was, or to the page. */
  function close() {
    const hadFocus = board.current?.contains(document.activeElement);
    showNotice(null);
    if (!hadFocus) return;
    const target = before.current?.isConnected ? before.current : document.querySelector("main");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** Unless a dialog or menu is open. */
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isTaken = document.querySelector("dialog[open], :is(:popover-open)");
    if (notice && event.key === "Escape" && !event.defaultPrevented && !isTaken) close();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only remembers where the focus was.
    <div
      className="notice-board"
      ref={board}
      onFocus={({ relatedTarget }) => {
        if (!board.current?.contains(relatedTarget)) before.current = relatedTarget;
      }}
    >
      {(["destructive", "neutral"] as const).map((style) => (
        <div key={style} {...regions[style]} aria-atomic="false">
          {notice?.style === style && <NoticeSlip notice={notice} onClose={close} />}
        </div>
      ))}
    </div>
  );
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
      role={isPartOfPage ? regions[style].role : undefined}
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

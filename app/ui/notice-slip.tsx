import { noticeWords } from "#content/notice-words.ts";
import type { Notice } from "#content/notices.ts";
import styles from "./notices.css?url";
import { OwnStyles } from "./own-styles.tsx";

type NoticeSlipProps = {
  notice: Notice;
  /** Without it the slip is part of the page, as the server renders it for a browser without scripts. */
  onClose?: () => void;
  /** Takes the focus when the page opens, so that a screen reader starts here. */
  autoFocus?: boolean;
};

/** A slip of paper pinned to the sheet, with a chalk line for good news and an alarm line for bad. */
export function NoticeSlip({ notice, onClose, autoFocus = false }: NoticeSlipProps) {
  const { style, title, text } = notice;
  const isPartOfPage = !onClose;
  return (
    <div
      className={`notice notice-${style} ${isPartOfPage ? "notice-in-page" : ""}`}
      // On the board it hangs in a live region; in a page its own role and the focus announce it.
      role={isPartOfPage ? (style === "destructive" ? "alert" : "status") : undefined}
      {...(autoFocus ? { autoFocus: true, tabIndex: -1 } : {})}
    >
      {isPartOfPage && <OwnStyles href={styles} />}
      <NoticeMark style={style} />
      <div className="notice-words">
        <p className="notice-title">{title}</p>
        <p className="notice-text">{text}</p>
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
    <svg className="notice-mark" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      {style === "neutral" ? <path d="m5 14 5.5 6L21 6.5" /> : <path d="M13 4.5v11M13 19.2v2.8" />}
    </svg>
  );
}

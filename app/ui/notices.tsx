import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Notice, noticeWords } from "#content/notices.ts";
import { NoticeSlip } from "./notice-slip.tsx";
import "./notices.css";

/** At most so many slips are up; the oldest goes first. */
const maxNotices = 3;
/** A neutral notice is up for this long, not counting the time that a pointer or the focus rests on it. */
const neutralDurationMs = 10_000;
/** How long the words stay in the live region: long enough for any screen reader to have taken them. */
const announcementMs = 7_000;

type ShownNotice = Notice & { id: number; source: string };

type Notices = {
  /** Puts a notice up in place of the one that the same source, a form for instance, has put up before. */
  show: (notice: Notice, source: string) => void;
  /** Takes down what a source has put up, since it no longer holds. */
  clear: (source: string) => void;
};

const NoticesContext = createContext<Notices | null>(null);

export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (!notices) throw new Error("useNotices is called outside NoticesProvider.");
  return notices;
}

/** Gives what is inside it a way to put up notices, and holds the place where they appear and are announced. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownNotice[]>([]);
  const lastId = useRef(0);

  const notices = useMemo<Notices>(
    () => ({
      show(notice, source) {
        lastId.current += 1;
        const added = { ...notice, source, id: lastId.current };
        setShown((all) =>
          [...all.filter((one) => one.source !== source), added].slice(-maxNotices),
        );
      },
      clear(source) {
        setShown((all) => all.filter((one) => one.source !== source));
      },
    }),
    [],
  );
  const close = useCallback((id: number) => {
    setShown((all) => all.filter((one) => one.id !== id));
  }, []);

  return (
    <NoticesContext value={notices}>
      {children}
      <Announcements notice={shown.at(-1)} />
      <NoticeBoard shown={shown} close={close} />
    </NoticesContext>
  );
}

/**
 * The two live regions. They are in the page from the first byte on, because a region that comes with its first words
 * is often not read out.
 */
function Announcements({ notice }: { notice: ShownNotice | undefined }) {
  const [spokenId, setSpokenId] = useState(0);
  const id = notice?.id;

  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => setSpokenId(id), announcementMs);
    return () => clearTimeout(timer);
  }, [id]);

  const words = notice && notice.id !== spokenId && (
    <p key={notice.id}>
      {notice.title}. {notice.text}
    </p>
  );
  return (
    <>
      <div className="notice-announcer" role="status" aria-live="polite">
        {notice?.style === "neutral" && words}
      </div>
      <div className="notice-announcer" role="alert" aria-live="assertive">
        {notice?.style === "destructive" && words}
      </div>
    </>
  );
}

/** A popover, so that nothing on a page can lie over it; opened by hand, so that it takes no focus. */
function NoticeBoard({ shown, close }: { shown: ShownNotice[]; close: (id: number) => void }) {
  const ref = useRef<HTMLElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  const newest = shown.at(-1);
  const isOpen = newest !== undefined;

  useEffect(() => {
    const board = ref.current;
    if (board?.matches(":popover-open") !== isOpen) board?.togglePopover(isOpen);
    if (!isOpen) setIsHeld(false);
  }, [isOpen]);

  useEffect(() => {
    if (!newest) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      // An open dialog or menu is what the key is meant for.
      const isTaken = document.querySelector("dialog[open], [popover='auto']:popover-open");
      if (event.key === "Escape" && !event.defaultPrevented && !isTaken) close(newest.id);
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [newest, close]);

  return (
    <section
      className="notice-board"
      popover="manual"
      ref={ref}
      aria-label={noticeWords.region}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {shown.map((notice) => (
        <TimedSlip key={notice.id} notice={notice} isHeld={isHeld} close={close} />
      ))}
    </section>
  );
}

type TimedSlipProps = { notice: ShownNotice; isHeld: boolean; close: (id: number) => void };

/** A destructive notice stays until it is closed or no longer holds; a neutral one leaves by itself. */
function TimedSlip({ notice, isHeld, close }: TimedSlipProps) {
  const { id, style } = notice;
  const closeThis = useCallback(() => close(id), [close, id]);

  useEffect(() => {
    if (style === "destructive" || isHeld) return;
    const timer = setTimeout(closeThis, neutralDurationMs);
    return () => clearTimeout(timer);
  }, [style, isHeld, closeThis]);

  return <NoticeSlip notice={notice} onClose={closeThis} />;
}

// An outlet is the place where toasts and the message about the connection appear. A dialog makes everything outside it
// inert, so the messages appear in the outlet of the top dialog. A screen reader announces only a text that is added to an
// existing live region. So the page and each dialog have an outlet with empty live regions.
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const text = { region: 'Notifications' };

/** The time that a screen reader needs to announce a message. */
const announcementMs = 1000;

type Region = 'toasts' | 'assertive' | 'polite' | 'connection';

interface Outlets {
  /** The outlet of the page, followed by the outlets of the open dialogs. The last outlet is on top. */
  elements: readonly HTMLElement[];
  /**
   * The time when the top outlet last changed, because a dialog opened or closed. In milliseconds since 1970. Until the
   * first dialog opens, the time is 0.
   */
  since: number;
}

const OutletsContext = createContext<Outlets>({ elements: [], since: 0 });
const SetOutletsContext = createContext<(update: (outlets: Outlets) => Outlets) => void>(() => {});

/** The provider for all components that show messages or open dialogs. */
export function MessageOutlets({ children }: { children: ReactNode }) {
  const [outlets, setOutlets] = useState<Outlets>({ elements: [], since: 0 });
  return (
    <SetOutletsContext value={setOutlets}>
      <OutletsContext value={outlets}>{children}</OutletsContext>
    </SetOutletsContext>
  );
}

/** The live regions of the page or of a dialog. They are empty until a message is rendered into them. */
export function MessageOutlet({ isPage = false, className }: { isPage?: boolean; className: string }) {
  const setOutlets = use(SetOutletsContext);
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const now = Date.now();
    setOutlets(({ elements }) => ({
      elements: isPage ? [element, ...elements] : [...elements, element],
      since: elements.length > 0 ? now : 0,
    }));
    return () => {
      const now = Date.now();
      setOutlets(({ elements }) => ({ elements: elements.filter((other) => other !== element), since: now }));
    };
  }, [isPage, setOutlets]);
  const column = 'flex flex-col items-center gap-2';
  return (
    <div ref={ref} data-screen-only className={`pointer-events-none ${className}`}>
      <section
        data-region="toasts"
        aria-label={text.region}
        className={`absolute inset-x-4 bottom-full mb-4 data-[edge=top]:fixed data-[edge=top]:top-4 data-[edge=top]:bottom-auto data-[edge=top]:mb-0 ${column}`}
      >
        <div data-region="assertive" aria-live="assertive" className={column} />
        <div data-region="polite" aria-live="polite" className={column} />
      </section>
      <div data-region="connection" role="status" />
    </div>
  );
}

/**
 * Renders its children into a region of a message outlet: the outlet of the last opened dialog, or that of the page if
 * no dialog is open. Renders nothing if there is no outlet, for example on the server.
 */
export function MessagePortal({ region, children }: { region: Region; children: ReactNode }) {
  const { regionOf } = useMessageOutlet();
  const element = regionOf(region);
  return element && createPortal(children, element);
}

export function useMessageOutlet() {
  const { elements, since } = use(OutletsContext);
  const top = elements.at(-1);
  return {
    regionOf: (region: Region) => top?.querySelector<HTMLElement>(`[data-region=${region}]`) ?? null,
    /**
     * Returns the `aria-live` value of a message. When a dialog opens or closes, all messages move to another live
     * region. The value 'off' prevents a screen reader from announcing old messages again. New messages are announced
     * again, because the move may have interrupted their announcement.
     */
    liveness: (createdAt: number) => (createdAt < since - announcementMs ? ('off' as const) : undefined),
  };
}

// Where toasts and the state of the connection appear. All outside an open dialog is inert, so they appear in the dialog
// on top, through a portal. A live region must exist before its text, so the page and each dialog have regions of their own.
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const text = { region: 'Messages' };

/** Milliseconds after which a message has been read out where it first appeared. */
const announcementMs = 1000;

type Region = 'toasts' | 'assertive' | 'polite' | 'connection';

interface Outlets {
  /** The page's, then the open dialogs', the one on top last. */
  elements: readonly HTMLElement[];
  /** When the one on top became that, in milliseconds since 1970; 0 for the first one. */
  since: number;
}

const OutletsContext = createContext<Outlets>({ elements: [], since: 0 });
const SetOutletsContext = createContext<(update: (outlets: Outlets) => Outlets) => void>(() => {});

/** Around everything that shows messages or opens dialogs. */
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

/** Renders into a region of the outlet on top; nothing while there is none, as on the server. */
export function MessagePortal({ region, children }: { region: Region; children: ReactNode }) {
  const { regionOf } = useMessageOutlet();
  const element = regionOf(region);
  return element && createPortal(children, element);
}

/** The outlet on top. */
export function useMessageOutlet() {
  const { elements, since } = use(OutletsContext);
  const top = elements.at(-1);
  return {
    regionOf: (region: Region) => top?.querySelector<HTMLElement>(`[data-region=${region}]`) ?? null,
    /**
     * The `aria-live` of a message: when a dialog opens or closes, a message appears in another region, and is not read
     * out again unless it is so new that the change may have cut it off.
     */
    liveness: (createdAt: number) => (createdAt < since - announcementMs ? ('off' as const) : undefined),
  };
}

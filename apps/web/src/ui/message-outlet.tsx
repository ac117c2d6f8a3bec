// The place of toasts and of the connection message. Everything outside an open dialog is inert, so a portal renders them in
// the dialog on top. A live region must exist before its text, so the page and each dialog have their own regions.
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const text = { region: 'Notifications' };

/** Milliseconds after which a screen reader has announced a message. */
const announcementMs = 1000;

type Region = 'toasts' | 'assertive' | 'polite' | 'connection';

interface Outlets {
  /** The outlet of the page, then those of the open dialogs. The last one is on top. */
  elements: readonly HTMLElement[];
  /** The time since which the last one is on top, in milliseconds since 1970; 0 for the first one. */
  since: number;
}

const OutletsContext = createContext<Outlets>({ elements: [], since: 0 });
const SetOutletsContext = createContext<(update: (outlets: Outlets) => Outlets) => void>(() => {});

/** The provider for everything that shows messages or opens dialogs. */
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

/** Renders into a region of the outlet on top. Renders nothing if there is no outlet, as on the server. */
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
     * The `aria-live` of a message. When a dialog opens or closes, messages move to another region. Only a message so new
     * that its announcement may have been interrupted is announced again.
     */
    liveness: (createdAt: number) => (createdAt < since - announcementMs ? ('off' as const) : undefined),
  };
}

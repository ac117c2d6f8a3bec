// A message container shows the toasts and the message about the connection. The page and each dialog have one, because a
// dialog makes everything outside it inert. Messages appear in the container of the dialog that opened last, or of the
// page if no dialog is open. Each container has empty live regions from the start, because a screen reader announces only text
// that is added to an existing live region.
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const text = { region: 'Notifications' };

/** The time that a screen reader needs to announce a message. */
const announcementMs = 1000;

type Region = 'toasts' | 'assertive' | 'polite' | 'connection';

interface Containers {
  /** The container of the page, followed by the containers of the open dialogs. The last one is on top. */
  elements: readonly HTMLElement[];
  /** The time when a dialog last opened or closed, in milliseconds since 1970. It is 0 until the first dialog opens. */
  topChangedAt: number;
}

const ContainersContext = createContext<Containers>({ elements: [], topChangedAt: 0 });
const SetContainersContext = createContext<(update: (containers: Containers) => Containers) => void>(() => {});

/** The provider for all components that show messages or open dialogs. */
export function MessageContainerProvider({ children }: { children: ReactNode }) {
  const [containers, setContainers] = useState<Containers>({ elements: [], topChangedAt: 0 });
  return (
    <SetContainersContext value={setContainers}>
      <ContainersContext value={containers}>{children}</ContainersContext>
    </SetContainersContext>
  );
}

/** The live regions of the page or of a dialog. They are empty until a message is rendered into them. */
export function MessageContainer({ isPage = false, className }: { isPage?: boolean; className: string }) {
  const setContainers = use(SetContainersContext);
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const now = Date.now();
    setContainers(({ elements }) => ({
      elements: isPage ? [element, ...elements] : [...elements, element],
      topChangedAt: elements.length > 0 ? now : 0,
    }));
    return () => {
      const now = Date.now();
      setContainers(({ elements }) => ({ elements: elements.filter((other) => other !== element), topChangedAt: now }));
    };
  }, [isPage, setContainers]);
  const column = 'flex flex-col items-center';
  return (
    <div ref={ref} data-screen-only className={`pointer-events-none ${className}`}>
      <section
        data-region="toasts"
        aria-label={text.region}
        className={`absolute inset-x-4 bottom-full mb-4 data-[edge=top]:fixed data-[edge=top]:top-4 data-[edge=top]:bottom-auto data-[edge=top]:mb-0 ${column}`}
      >
        {/* Without messages, the section must have no height. Otherwise, when the page grows, Chromium sometimes reports a
            layout shift of the section, although it has not moved and is invisible. */}
        <div data-region="assertive" aria-live="assertive" className={`gap-2 ${column}`} />
        <div data-region="polite" aria-live="polite" className={`gap-2 not-empty:mt-2 ${column}`} />
      </section>
      <div data-region="connection" role="status" />
      {isPage && <div data-region="bar" className="pointer-events-auto" />}
    </div>
  );
}

/**
 * Renders its children into a region of the container of the dialog that opened last, or of the page if no dialog is open.
 * Renders nothing if there is no container, for example on the server.
 */
export function MessagePortal({ region, children }: { region: Region; children: ReactNode }) {
  const { regionOf } = useMessageContainer();
  const element = regionOf(region);
  return element && createPortal(children, element);
}

/**
 * Renders its children at the lower edge of the window, below the messages. They stay on the page when a dialog opens.
 */
export function PageBar({ children }: { children: ReactNode }) {
  const [page] = use(ContainersContext).elements;
  const element = page?.querySelector('[data-region=bar]');
  return element && createPortal(children, element);
}

export function useMessageContainer() {
  const { elements, topChangedAt } = use(ContainersContext);
  const top = elements.at(-1);
  return {
    regionOf: (region: Region) => top?.querySelector<HTMLElement>(`[data-region=${region}]`) ?? null,
    /**
     * Returns the `aria-live` value of a message. When a dialog opens or closes, all messages move to another live
     * region, and a screen reader would announce them again. The value 'off' prevents this for old messages. New
     * messages are announced again, because the move may have interrupted the first announcement.
     */
    liveness: (createdAt: number) => (createdAt < topChangedAt - announcementMs ? ('off' as const) : undefined),
  };
}

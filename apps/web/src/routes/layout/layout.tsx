import { productName } from '@rtr/shared';
import { useLayoutEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { useSession } from '../../features/auth/session-context.ts';
import { SessionNotice } from '../../features/auth/session-notice.tsx';
import { useNewsCount } from '../../features/news/use-news-count.ts';
import { dayOf } from '../../lib/date.ts';
import { NewCountProvider } from '../../lib/new-count.ts';
import { useNow } from '../../lib/now.tsx';
import { usePageContext } from '../../lib/page-context.ts';
import { Connection } from '../../ui/connection.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { MessageContainer, MessageContainerProvider } from '../../ui/message-container.tsx';
import { commonText } from '../../ui/texts.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

const text = { skip: 'Skip to content' };

export function Layout() {
  const main = useFocusAfterNavigation();
  const { user, needsLogin } = useSession();
  const { pathname } = useLocation();
  // During a sign-in, the request would get an access token before the name of a new account is saved.
  const isSignInPage = pathname === '/login' || pathname === '/signup';
  const newsCount = useNewsCount(user !== null && !needsLogin && !isSignInPage);
  return (
    <NewCountProvider value={newsCount}>
      <MessageContainerProvider>
        <a
          href="#content"
          // A click focuses the content without following this link to '#content'. Following it would add a history entry, to
          // which the browser does not copy the history state of the current page. For example, the login page would lose the
          // address to open after the login.
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
            main.current?.scrollIntoView();
          }}
          className="sr-only rounded-control bg-primary px-4 py-3 font-semibold text-on-primary focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-50"
        >
          {text.skip}
        </a>
        <Header />
        <NavigationProgress />
        {/* The content is at least as high as the window, so that the footer does not move when the content loads. */}
        <main id="content" ref={main} tabIndex={-1} className="min-h-dvh outline-none">
          <PrintedSource />
          <SessionNotice />
          <Outlet />
        </main>
        <Footer />
        {/* Messages stay at the lower edge of the window. At the end of the page, they are below the footer and do not
            cover it. */}
        <MessageContainer isPage className="sticky bottom-0 z-50" />
        <Toasts />
        <Connection />
        {/* All addresses that are typed into the address bar have the history key 'default'. So the scroll position of such
            a page is stored under its address and not under its key. */}
        <ScrollRestoration getKey={({ key, pathname, search }) => (key === 'default' ? pathname + search : key)} />
      </MessageContainerProvider>
    </NewCountProvider>
  );
}

/**
 * Focuses the heading after a navigation, so that a screen reader announces the new page. Does not do this for the first
 * page of a visit.
 */
function useFocusAfterNavigation() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const previous = useRef(pathname);
  // Moves the focus before the new page is visible. `useEffect` could move it later, away from a field in which the customer
  // already types.
  useLayoutEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const target = main.current?.querySelector('h1') ?? main.current;
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** The name of the site, the address of the page and the date, at the top of a printed page. */
function PrintedSource() {
  const { origin } = usePageContext();
  const { pathname, search } = useLocation();
  const now = useNow();
  return (
    <p className="hidden pb-4 text-small wrap-anywhere print:block">
      {productName} · {origin + pathname + search} · {dayOf(new Date(now).toISOString())}
    </p>
  );
}

function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <LiveRegion className="sticky top-0 z-40 h-0">
      {state === 'loading' && (
        <>
          <span className="sr-only">{commonText.loading}</span>
          <span className="progress-stripe absolute inset-x-0 top-0 h-1.5" />
        </>
      )}
    </LiveRegion>
  );
}

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  Link,
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useNavigation,
  useSearchParams,
} from 'react-router-dom';
import { useSession, useSessionActions } from '../features/auth/session-context.ts';
import { needs } from '../features/services/needs.ts';
import { hasDrafts } from '../lib/draft.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Alert } from '../ui/alert.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Connection } from '../ui/connection.tsx';
import { Icon } from '../ui/icon.tsx';
import { MessageOutlet, MessageOutlets } from '../ui/message-outlet.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { Toasts, toast } from '../ui/toasts.tsx';

const text = {
  brand: 'RTR Cloud Kitchen',
  skip: 'Skip to content',
  navigation: 'Main',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  search: 'Search services',
  home: 'Home',
  addService: 'Add Service',
  blogs: 'Blogs',
  myReview: 'My Review',
  account: 'Account',
  signOut: 'Sign Out',
  login: 'Login',
  logIn: 'Log in',
  signUp: 'Sign Up',
  signedInAs: (name: string) => `Signed in as ${name}`,
  signedOut: 'Logout Successfully',
  dropsDrafts: 'Signing out drops what you have not sent yet. Sign out all the same?',
  signOutFailed: 'You are still signed in. Check your network and sign out again.',
  loading: 'Loading…',
  expired: 'Your session has ended. Log in again to go on; what you typed is kept.',
  turnedOff: 'This account has been turned off, so you were signed out.',
  promise:
    'Who installs, mends and cleans what keeps a kitchen breathing, in the words of the kitchens that called them.',
  services: 'Services',
  company: 'Company',
  legal: 'Legal',
  about: 'About',
  howReviewsWork: 'How reviews work',
  privacy: 'Privacy',
  terms: 'Terms',
};

export function Layout() {
  const main = useMain();
  return (
    <MessageOutlets>
      <a
        href="#content"
        className="sr-only rounded-control bg-primary px-4 py-3 font-semibold text-on-primary focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-50"
      >
        {text.skip}
      </a>
      <Header />
      <Progress />
      {/* As high as the window: the footer, not yet pushed down by the page, would jump. */}
      <main id="content" ref={main} tabIndex={-1} className="min-h-dvh outline-none">
        <Ended />
        <Outlet />
      </main>
      <Footer />
      {/* At the lower edge of the window, and under the footer where the page ends: it moves nothing and covers nothing for good. */}
      <MessageOutlet isPage className="sticky bottom-0 z-50" />
      <Toasts />
      <Connection />
      {/* Entries that were typed all have the key 'default': each address of them has a place of its own. */}
      <ScrollRestoration getKey={({ key, pathname, search }) => (key === 'default' ? pathname + search : key)} />
    </MessageOutlets>
  );
}

/** After a navigation the focus goes to the new page's heading, which is read out. The first page keeps its own. */
function useMain() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const target = main.current?.querySelector('h1') ?? main.current;
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

function Header() {
  const { user } = useSession();
  const location = useLocation();
  const [parameters] = useSearchParams();
  const q = location.pathname === '/services' ? (parameters.get('q') ?? '') : '';
  // Where one is led back to after a form: the page one is on, unless that is such a form and remembers one itself.
  const origin: unknown = /^\/(login|signup|addservices)\/?$/i.test(location.pathname)
    ? location.state
    : { from: location };
  // Open for the page it was opened on: going anywhere closes it.
  const [openOn, setOpenOn] = useState<string>();
  const open = openOn === location.key;
  useSlash(() => flushSync(() => setOpenOn(location.key)));
  const opener = useRef<HTMLButtonElement>(null);
  useEscape(() => {
    if (!open) return;
    setOpenOn(undefined);
    opener.current?.focus();
  });
  const item =
    'flex min-h-12 items-center border-b-3 border-transparent pt-1 font-semibold whitespace-nowrap hover:border-control aria-[current=page]:border-ink max-lg:justify-self-start';
  return (
    <header className="bg-surface">
      <div className="column flex flex-wrap items-center gap-x-3 sm:gap-x-6 lg:flex-nowrap">
        <Link to="/" className="flex min-h-18 items-center gap-3 text-title font-bold whitespace-nowrap">
          <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true">
            <rect width="48" height="48" rx="10" className="fill-wall-petrol" />
            <path d="M20 7h8v8h4l9 15v5H7v-5l9 -15h4Z" fill="#fff" />
            <path d="M13 41H35" className="stroke-amber" strokeWidth="4" strokeLinecap="round" />
          </svg>
          {text.brand}
        </Link>
        <IconButton
          ref={opener}
          label={open ? text.closeMenu : text.openMenu}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpenOn(open ? undefined : location.key)}
          className="ml-auto lg:hidden noscript:hidden"
        >
          <Icon name={open ? 'close' : 'menu'} />
        </IconButton>
        <div
          id="menu"
          className={`${open ? 'max-lg:grid' : 'max-lg:hidden noscript:max-lg:grid'} w-full min-w-0 flex-1 basis-full gap-2 pb-4 lg:flex lg:basis-0 lg:items-center lg:gap-6 lg:pb-0`}
        >
          <SearchField
            label={text.search}
            action="/services"
            value={q}
            shortcut="/"
            className="lg:max-w-64 lg:flex-1"
          />
          <nav aria-label={text.navigation} className="grid lg:ml-auto lg:flex lg:items-center lg:gap-6">
            <NavLink to="/" end className={item}>
              {text.home}
            </NavLink>
            <NavLink to="/addservices" state={origin} className={item}>
              {text.addService}
            </NavLink>
            <NavLink to="/blogs" className={item}>
              {text.blogs}
            </NavLink>
            {user ? (
              <>
                <NavLink to="/myReview" className={item}>
                  {text.myReview}
                </NavLink>
                <SignOut uid={user.uid} className={item} />
                <NavLink to="/account" className={`${item} gap-3 max-lg:my-2`}>
                  <Avatar
                    src={user.photoURL}
                    name={user.displayName || user.email}
                    alt={text.signedInAs(user.displayName || user.email)}
                  />{' '}
                  <span className="lg:sr-only">{text.account}</span>
                </NavLink>
              </>
            ) : (
              <>
                <NavLink to="/login" state={origin} className={item}>
                  {text.login}
                </NavLink>
                <NavLink to="/signup" state={origin} className={`${item} gap-2`}>
                  {text.signUp}
                  <Icon name="person" />
                </NavLink>
              </>
            )}
          </nav>
        </div>
      </div>
      <div className="ceiling" />
    </header>
  );
}

/** '/' goes to the first search field in sight, in the menu if there is none, unless something is being typed. */
function useSlash(openMenu: () => void) {
  useKeys((event) => {
    const { key, altKey, ctrlKey, metaKey, target, defaultPrevented } = event;
    if (key !== '/' || altKey || ctrlKey || metaKey || defaultPrevented) return;
    const typing = target instanceof Element && target.closest('input, textarea, select, [contenteditable]');
    if (typing || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    if (takeFocus()) return;
    openMenu();
    takeFocus();
  });
}

function useEscape(close: () => void) {
  useKeys(({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open]')) close();
  });
}

function useKeys(onKey: (event: KeyboardEvent) => void) {
  const heard = useEffectEvent(onKey);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => heard(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Whether a search field took the focus: one that is out of sight cannot. */
function takeFocus(): boolean {
  return [...document.querySelectorAll<HTMLInputElement>('input[type=search]')].some((field) => {
    field.focus();
    return document.activeElement === field;
  });
}

const signOutToast = 'sign-out';

function SignOut({ uid, className }: { uid: string; className: string }) {
  const navigate = useNavigate();
  const storage = useStorage();
  const { signOut } = useSessionActions();
  const [leave, pending] = useSingleFlight(async () => {
    if (hasDrafts(storage, uid) && !confirm(text.dropsDrafts)) return;
    try {
      await signOut();
      toast.success(text.signedOut, { id: signOutToast });
      await navigate('/');
    } catch {
      toast.error(text.signOutFailed, { id: signOutToast });
    }
  });
  return (
    <button
      ref={focusHeadingOnRemoval}
      type="button"
      aria-disabled={pending}
      onClick={() => void leave()}
      className={className}
    >
      {text.signOut}
    </button>
  );
}

/** Air along the ceiling while the next page is on its way. */
function Progress() {
  const { state } = useNavigation();
  return (
    <div role="status" className="sticky top-0 z-40 h-0">
      {state === 'loading' && (
        <>
          <span className="sr-only">{text.loading}</span>
          <span className="air absolute inset-x-0 top-0 h-1.5" />
        </>
      )}
    </div>
  );
}

/** A session that ended by itself is not passed over in silence. */
function Ended() {
  const { ended } = useSession();
  const location = useLocation();
  return (
    <>
      {ended === 'turned off' && (
        <div className="column pt-4">
          <Alert>{text.turnedOff}</Alert>
        </div>
      )}
      <div role="status">
        {ended === 'expired' && (
          <div className="column pt-4">
            <Alert
              kind="warn"
              action={
                <Link to="/login" state={{ from: location }} className="link">
                  {text.logIn}
                </Link>
              }
            >
              {text.expired}
            </Alert>
          </div>
        )}
      </div>
    </>
  );
}

// Plain marks until the operator has addresses for them.
const marks = [
  'M13.5 20.5V13H16.5L17 9.5H13.5V7.5C13.5 6.5 14 6 15 6H17V3.5H14.5C11.5 3.5 10 5 10 7.5V9.5H7.5V13H10V20.5',
  'M4 4 20 20M20 4 4 20',
  'M7.5 4H16.5A3.5 3.5 0 0 1 20 7.5V16.5A3.5 3.5 0 0 1 16.5 20H7.5A3.5 3.5 0 0 1 4 16.5V7.5A3.5 3.5 0 0 1 7.5 4ZM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  'M5.5 5.5H18.5A3 3 0 0 1 21.5 8.5V15.5A3 3 0 0 1 18.5 18.5H5.5A3 3 0 0 1 2.5 15.5V8.5A3 3 0 0 1 5.5 5.5ZM10 9V15L15 12Z',
];

function Footer() {
  const location = useLocation();
  const list = 'grid content-start gap-1';
  const link = 'inline-flex min-h-8 items-center underline-offset-4 hover:underline focus-visible:outline-wall-heading';
  const heading = 'pb-1 text-title text-wall-heading';
  return (
    <footer className="mt-18 bg-footer text-footer-text">
      <div className="duct" />
      <div className="column grid gap-8 pt-12 pb-8 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="grid max-w-80 content-start gap-4">
          <p className="text-title text-wall-heading">{text.brand}</p>
          <p className="text-small">{text.promise}</p>
          <div className="flex gap-4" aria-hidden="true">
            {marks.map((mark) => (
              <svg
                key={mark}
                width="24"
                height="24"
                viewBox="0 0 24 24"
                fill="none"
                stroke="currentColor"
                strokeWidth="2.5"
                strokeLinecap="round"
                strokeLinejoin="round"
              >
                <path d={mark} />
              </svg>
            ))}
          </div>
        </div>
        <section className={list}>
          <h2 className={heading}>{text.services}</h2>
          <ul className={list}>
            {needs.map(({ name, search }) => (
              <li key={name}>
                <Link to={`/services?q=${encodeURIComponent(search)}`} className={link}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <section className={list}>
          <h2 className={heading}>{text.company}</h2>
          <ul className={list}>
            <li>
              <Link to="/about" className={link}>
                {text.about}
              </Link>
            </li>
            <li>
              <Link to="/how-reviews-work" className={link}>
                {text.howReviewsWork}
              </Link>
            </li>
            <li>
              <Link to="/blogs" className={link}>
                {text.blogs}
              </Link>
            </li>
            <li>
              <Link to="/addservices" state={{ from: location }} className={link}>
                {text.addService}
              </Link>
            </li>
          </ul>
        </section>
        <section className={list}>
          <h2 className={heading}>{text.legal}</h2>
          <ul className={list}>
            <li>
              <Link to="/privacy" className={link}>
                {text.privacy}
              </Link>
            </li>
            <li>
              <Link to="/terms" className={link}>
                {text.terms}
              </Link>
            </li>
          </ul>
        </section>
      </div>
      <div className="column">
        <div className="border-t-2 border-dashed border-footer-text/30 py-4">
          <ThemeChoice />
        </div>
      </div>
    </footer>
  );
}

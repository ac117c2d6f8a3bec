import { productName } from '@rtr/shared';
import { useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useSearchParams } from 'react-router-dom';
import { useSession, useSessionActions } from '../../features/auth/session-context.ts';
import { SignOutButton } from '../../features/auth/sign-out-button.tsx';
import { ServiceSearchField } from '../../features/services/service-search-field.tsx';
import { serviceText } from '../../features/services/texts.ts';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { useKeyDown } from '../../lib/use-key-down.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { NewDot, NewsAnnouncement } from './new-dot.tsx';
import { useFormOrigin } from './use-form-origin.ts';

const text = {
  navigation: 'Main',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  home: 'Home',
  services: 'Services',
  addService: 'Add Service',
  blogs: 'Blogs',
  myReview: 'My Review',
  moderation: 'Moderation',
  login: 'Login',
  signUp: 'Sign Up',
};

const item =
  'flex min-h-12 items-center border-b-3 border-transparent pt-1 font-semibold whitespace-nowrap hover:border-control aria-[current=page]:border-ink max-lg:justify-self-start';

export function Header() {
  const location = useLocation();
  const [parameters] = useSearchParams();
  const q = location.pathname === '/services' ? (parameters.get('q') ?? '') : '';
  // The key of the history entry on which the menu was opened. The menu is open only on this entry, so each navigation
  // closes it.
  const [openKey, setOpenKey] = useState<string>();
  const isOpen = openKey === location.key;
  const open = () => setOpenKey(location.key);
  const close = () => setOpenKey(undefined);
  const menuButton = useRef<HTMLButtonElement>(null);
  useKeyDown(({ key, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented || isDialogOpen() || !isOpen) return;
    close();
    menuButton.current?.focus();
  });
  return (
    <header className="bg-surface">
      <div className="column flex flex-wrap items-center gap-x-3 sm:gap-x-6 lg:flex-nowrap">
        {/* With large text, the name of the product takes two lines, and the menu button stays beside it. */}
        <div className="flex-1 lg:flex-none">
          <Brand />
        </div>
        <div className="relative lg:hidden noscript:hidden">
          <IconButton
            ref={menuButton}
            label={isOpen ? text.closeMenu : text.openMenu}
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={isOpen ? close : open}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </IconButton>
          {!isOpen && <NewDot />}
        </div>
        <NewsAnnouncement />
        <div
          id="menu"
          className={`${isOpen ? 'max-lg:grid' : 'max-lg:hidden noscript:max-lg:grid'} w-full min-w-0 flex-1 basis-full gap-2 pb-4 lg:flex lg:basis-0 lg:items-center lg:gap-6 lg:pb-0`}
        >
          <ServiceSearchField value={q} className="lg:max-w-64 lg:flex-1" />
          <Navigation />
        </div>
      </div>
      <div className="ceiling" />
    </header>
  );
}

/**
 * Whether the header shows the links of a customer. Until the session is known, it shows them if the browser has a session.
 * So the links do not move when the session is known. If the customer must log in again, it shows the links of a visitor.
 */
function useIsCustomer(): boolean {
  const { user, loading, needsLogin, isTokenRejected } = useSession();
  return loading || (user !== null && (!needsLogin || isTokenRejected));
}

function Brand() {
  const isCustomer = useIsCustomer();
  return (
    <Link to="/" className="flex min-h-18 items-center gap-3 text-title font-bold lg:whitespace-nowrap">
      <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true" className="shrink-0">
        <rect width="48" height="48" rx="10" className="fill-wall-petrol" />
        <path d="M20 7h8v8h4l9 15v5H7v-5l9 -15h4Z" fill="#fff" />
        <path d="M13 41H35" className="stroke-amber" strokeWidth="4" strokeLinecap="round" />
      </svg>
      {/* In a window of 960 to 1279 px, the product name is hidden for customers, because their links need the space. Screen
          readers still read it. */}
      <span className={isCustomer ? 'lg:max-[80rem]:sr-only' : ''}>{productName}</span>
    </Link>
  );
}

function Navigation() {
  const isCustomer = useIsCustomer();
  const { user } = useSession();
  const origin = useFormOrigin();
  return (
    <nav
      aria-label={text.navigation}
      className="grid lg:ml-auto lg:flex lg:items-center lg:flex-wrap lg:justify-end lg:gap-x-3 min-[72rem]:gap-x-4"
    >
      {user && <ModerationLink key={user.uid} />}
      <NavLink to="/" end className={item}>
        {text.home}
      </NavLink>
      <NavLink to="/services" end className={item}>
        {text.services}
      </NavLink>
      <NavLink to="/addservices" state={origin} className={item}>
        {text.addService}
      </NavLink>
      <NavLink to="/blogs" className={item}>
        {text.blogs}
      </NavLink>
      {/* Customers and visitors have different links. If the session ends in another tab, React replaces the links. If a
          removed link had the focus, a heading gets it. */}
      <div key={isCustomer ? 'customer' : 'visitor'} ref={focusHeadingOnRemoval} className="contents">
        {isCustomer ? <CustomerLinks /> : <VisitorLinks origin={origin} />}
      </div>
    </nav>
  );
}

/**
 * The link for moderators. It is the first link, so that it moves nothing when it appears: the links are at the right end of
 * the header.
 */
function ModerationLink() {
  const session = useSessionActions();
  const [isModerator, setIsModerator] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void session.isModerator().then((result) => isCurrent && setIsModerator(result));
    return () => {
      isCurrent = false;
    };
  }, [session]);
  if (!isModerator) return null;
  return (
    <NavLink to="/moderation" className={item}>
      {text.moderation}
    </NavLink>
  );
}

function CustomerLinks() {
  return (
    <>
      <NavLink to="/myReview" className={item}>
        {text.myReview}
      </NavLink>
      <NavLink to="/myservices" className={item}>
        {serviceText.yours}
      </NavLink>
      <SignOutButton className={item} />
      <AccountMenu itemClass={item} />
    </>
  );
}

function VisitorLinks({ origin }: { origin: unknown }) {
  return (
    <>
      <NavLink to="/login" state={origin} className={item}>
        {text.login}
      </NavLink>
      <NavLink to="/signup" state={origin} className={`${item} gap-2`}>
        {text.signUp}
        <Icon name="person" />
      </NavLink>
    </>
  );
}

const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

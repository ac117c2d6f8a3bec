import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../../features/auth/session-context.ts';
import { hasFocus } from '../../lib/focus.ts';
import { useNewCount } from '../../lib/new-count.ts';
import { useKeyDown } from '../../lib/use-key-down.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { protectedPageNames } from '../texts.ts';
import { NewDot } from './new-dot.tsx';

const text = {
  menu: 'Account menu',
  loggedInAs: (name: string) => `Logged in as ${name}`,
  new: (count: number) => ` (${count} new)`,
};

/**
 * The photo of the customer with the links to News, Requests and Account. In a wide window, the photo is a button that opens
 * these links. In a narrow window, they are part of the menu of the header.
 */
export function AccountMenu({ itemClass }: { itemClass: string }) {
  const { user } = useSession();
  const name = user?.displayName || user?.email || '';
  const newCount = useNewCount();
  const { key } = useLocation();
  // The key of the history entry on which the menu was opened. The menu is open only on this entry, so each navigation
  // closes it.
  const [openKey, setOpenKey] = useState<string>();
  const isOpen = openKey === key;
  const close = () => setOpenKey(undefined);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useKeyDown((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return;
    event.preventDefault();
    if (menu.current && hasFocus(menu.current)) button.current?.focus();
    close();
  });
  const closeOutside = useEffectEvent(({ target }: Event) => {
    if (isOpen && target instanceof Node && !menu.current?.contains(target)) close();
  });
  useEffect(() => {
    const listener = (event: Event) => closeOutside(event);
    const events = ['pointerdown', 'focusin'];
    for (const event of events) document.addEventListener(event, listener);
    return () => {
      for (const event of events) document.removeEventListener(event, listener);
    };
  }, []);
  return (
    <div ref={menu} className="relative max-lg:mt-2 max-lg:justify-self-start">
      {/* In a wide window, the photo is smaller, so that it is as high as the links. */}
      <span className="relative block w-fit lg:*:first:size-10">
        <Avatar src={user?.photoURL ?? ''} name={name} alt={user ? text.loggedInAs(name) : ''} />
        <NewDot />
      </span>
      <button
        ref={button}
        type="button"
        aria-label={text.menu}
        title={text.menu}
        aria-expanded={isOpen}
        aria-controls="account-menu"
        onClick={() => setOpenKey(isOpen ? undefined : key)}
        className="absolute -inset-1 rounded-control max-lg:hidden"
      />
      <div
        id="account-menu"
        className={`${isOpen ? 'lg:grid' : 'lg:hidden'} lg:absolute lg:top-full lg:right-0 lg:z-50 lg:mt-3 lg:min-w-44 lg:rounded-control lg:border-2 lg:border-ink lg:bg-surface lg:px-4 lg:py-2 lg:shadow-overlay`}
      >
        <NavLink to="/news" className={itemClass}>
          {protectedPageNames.news}
          {newCount > 0 && text.new(newCount)}
        </NavLink>
        <NavLink to="/requests" end className={itemClass}>
          {protectedPageNames.requests}
        </NavLink>
        <NavLink to="/account" className={itemClass}>
          {protectedPageNames.account}
        </NavLink>
      </div>
    </div>
  );
}

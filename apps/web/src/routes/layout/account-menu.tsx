import { useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { useSession } from '../../features/auth/session-context.ts';
import { useNewCount } from '../../lib/new-count.ts';
import { useKeyDown } from '../../lib/use-key-down.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { protectedPageNames } from '../texts.ts';
import { NewDot, newsText } from './new-dot.tsx';

const text = {
  menu: 'Account menu',
  loggedInAs: (name: string) => `Logged in as ${name}`,
};

/**
 * The photo of the customer with the links to News, Requests and Account. In a wide window, the photo is a button that opens
 * these links. In a narrow window, they are part of the menu of the header.
 */
export function AccountMenu({ itemClass }: { itemClass: string }) {
  const { user } = useSession();
  const name = user?.displayName || user?.email || '';
  const newCount = useNewCount();
  const { key: entryKey } = useLocation();
  // The key of the history entry on which the menu was opened. The menu is open only on this entry, so each navigation
  // closes it.
  const [openKey, setOpenKey] = useState<string>();
  const isOpen = openKey === entryKey;
  const close = () => setOpenKey(undefined);
  const button = useRef<HTMLButtonElement>(null);
  useKeyDown(({ key, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented || !isOpen) return;
    close();
    button.current?.focus();
  });
  return (
    <div
      // Safari does not focus a clicked link, but the nearest focusable parent of the link. So this element is focusable.
      tabIndex={-1}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
      className="relative outline-none max-lg:mt-2 max-lg:justify-self-start"
    >
      {/* In a wide window, the photo is smaller, so that it is as high as the links. */}
      <span className="relative block w-fit lg:*:first:size-10">
        <Avatar src={user?.photoURL ?? ''} name={name} alt={user ? text.loggedInAs(name) : ''} />
        <NewDot />
      </span>
      <button
        ref={button}
        type="button"
        aria-label={text.menu}
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          // Safari does not focus a clicked button. Without the focus in the menu, a click outside would not close it.
          currentTarget.focus();
          setOpenKey(isOpen ? undefined : entryKey);
        }}
        className="absolute -inset-1 rounded-control max-lg:hidden"
      />
      <div
        className={`${isOpen ? 'lg:grid' : 'lg:hidden'} lg:absolute lg:top-full lg:right-0 lg:z-50 lg:mt-3 lg:min-w-44 lg:rounded-control lg:border-2 lg:border-ink lg:bg-surface lg:px-4 lg:py-2 lg:shadow-overlay`}
      >
        <NavLink to="/news" className={itemClass}>
          {newsText(newCount)}
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

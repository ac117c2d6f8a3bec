import { readCookie, writeCookie } from './cookies.ts';

const cookieName = 'rtr-session';

/**
 * Returns true if the session cookie is set. The cookie only says that the browser may have a session. It identifies no
 * customer and grants no access.
 */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, cookieName) === '1';

/**
 * Sets or removes the session cookie. With the cookie, the server renders a page in its loading state. Without it, the
 * server renders the page for a visitor.
 */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(cookieName, holdsSession ? '1' : null);
}

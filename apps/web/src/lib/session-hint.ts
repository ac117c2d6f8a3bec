import { readCookie, writeCookie } from './cookies.ts';

export const sessionCookieName = 'rtr-session';

/**
 * Returns true if the session cookie is set. The cookie only says that the browser may have a session. It identifies no
 * customer and grants no access.
 */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, sessionCookieName) === '1';

/**
 * Sets or removes the session cookie. With the cookie, the server renders a page in its loading state. Without it, the
 * server renders the page for a visitor.
 */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(sessionCookieName, holdsSession ? '1' : null);
}

import { readCookie, writeCookie } from './cookies.ts';

export const sessionCookieName = 'rtr-session';

/**
 * Returns true if the session cookie is set. The cookie says that the browser probably has a session. It identifies no
 * customer and grants no access.
 */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, sessionCookieName) === '1';

/**
 * Sets or removes the session cookie. With the cookie, the server renders the parts of a page that depend on the session in
 * their loading state. Without the cookie, it renders pages for visitors.
 */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(sessionCookieName, holdsSession ? '1' : null);
}

import { readCookie, writeCookie } from './cookies.ts';

const cookieName = 'rtr-session';

/** True if this browser claims to have a session. The cookie identifies no customer and grants no access. */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, cookieName) === '1';

/** Sets or removes the cookie. It tells the server whether to render the loading state of a page or the page for a visitor. */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(cookieName, holdsSession ? '1' : null);
}

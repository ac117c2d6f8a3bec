import { readCookie, writeCookie } from './cookies.ts';

const cookieName = 'rtr-session';

/** Whether this browser claims to have a session. The cookie identifies no customer and grants no access. */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, cookieName) === '1';

/** The cookie tells the server whether to render the loading state or the page of a visitor. */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(cookieName, holdsSession ? '1' : null);
}

import { readCookie, writeCookie } from './cookies.ts';

const cookieName = 'rtr-session';

/** Whether the cookies say that this browser holds a session. It is a hint: it names nobody and grants nothing. */
export const hasSessionHint = (cookies: string): boolean => readCookie(cookies, cookieName) === '1';

/** Tells the server whether to render the loading state, or the page of a visitor, to this browser. */
export function writeSessionHint(holdsSession: boolean): void {
  if (hasSessionHint(document.cookie) !== holdsSession) writeCookie(cookieName, holdsSession ? '1' : null);
}

const yearSeconds = 31_536_000;

/** Reads a cookie from a `Cookie` header or from `document.cookie`. */
export function readCookie(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

/** Sets a cookie that expires after a year. With null, removes the cookie. */
export function writeCookie(name: string, value: string | null): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is asynchronous and needs https
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${value === null ? 0 : yearSeconds}${secure}`;
}

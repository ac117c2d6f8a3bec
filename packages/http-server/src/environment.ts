import proxyAddress from 'proxy-addr';
import * as z from 'zod/mini';

// Schemas of environment variables for the API and the web server. Each error message starts with the name of the variable
// and says how to correct the value.

export function wholeNumber(name: string, max: number) {
  const isValid = (value: string) => /^\d{1,9}$/.test(value) && Number(value) <= max;
  return z.pipe(
    z.string().check(z.refine(isValid, `${name} must be a whole number from 0 to ${max}.`)),
    z.transform(Number),
  );
}

export function hostAndPort(name: string) {
  return z.regex(/^[^\s/@]+:\d{1,5}$/, `${name} must be host:port, such as 127.0.0.1:9099, without http://.`);
}

/** True if the text is the origin of an http(s) URL: scheme, host and port, without a path. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/**
 * The addresses and networks of the proxies whose header X-Forwarded-For is trusted, separated by commas. By default, these are
 * the private and local networks, so a client in the Internet cannot choose its own address.
 */
export function trustedProxies() {
  const split = z.transform((list: string) => list.split(',').map((entry) => entry.trim()));
  return z
    .pipe(z._default(z.string(), 'loopback,linklocal,uniquelocal'), split)
    .check(
      z.refine(
        canCompile,
        'TRUSTED_PROXIES must contain IP addresses or networks, such as 10.0.0.0/8, or loopback, linklocal and uniquelocal, separated by commas.',
      ),
    );
}

function canCompile(addresses: string[]): boolean {
  try {
    return typeof proxyAddress.compile(addresses) === 'function';
  } catch {
    return false;
  }
}

import { limits } from './limits.ts';
import { isWebUrl } from './web-url.ts';

/**
 * The reason why a picture URL is not allowed. `malformed`: it is too long or is not an http(s) URL. `credentials`: it
 * contains a user name or password. `private`: its host is not public.
 */
export type PictureFault = 'malformed' | 'credentials' | 'private';

/**
 * Checks a picture URL that a customer enters. Returns undefined if the URL is allowed. The browsers of visitors load the
 * picture, so its host must not be in a private network. The function does not notice if a public host name resolves to a
 * private address. In URLs below `/pictures/` of one of `ownOrigins`, the host may be private, because a demonstration runs
 * on localhost.
 */
export function pictureFault(value: string, ownOrigins: readonly string[]): PictureFault | undefined {
  if (!isWebUrl(value) || Math.max(value.length, normalizePictureUrl(value).length) > limits.urlLength)
    return 'malformed';
  const { username, password, origin, pathname, hostname } = new URL(value);
  if (username !== '' || password !== '') return 'credentials';
  if (ownOrigins.includes(origin) && pathname.startsWith('/pictures/')) return undefined;
  return isPublicHost(hostname) ? undefined : 'private';
}

/**
 * Returns the normalized form of an http(s) URL, so that two spellings of a picture URL can be compared. The URL parser
 * already normalizes most spellings, such as upper case in the host, the default port and `/./`.
 */
export function normalizePictureUrl(value: string): string {
  const url = new URL(value);
  url.hash = '';
  if (url.search === '') url.search = ''; // Removes a question mark without a query.
  url.hostname = url.hostname.split('.').filter(Boolean).join('.'); // Removes dots at the end.
  return url.href.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

/** The domains of local networks. RFC 6761, RFC 6762, RFC 8375 and ICANN reserve them, or list them as in use (appendix G). */
const localDomains = new Set([
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
]);

/**
 * True if the host is public. Expects the `hostname` of a parsed URL. The URL parser has converted all forms of an IPv4
 * address, such as octal, hexadecimal, shortened and full-width forms, to dotted decimals. It has converted names to lower
 * case, and IPv6 addresses to their shortest form in brackets. So other forms need no check.
 */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1));
  const labels = hostname.split('.').filter((label) => label !== ''); // A dot at the end does not change the host.
  const last = labels.at(-1) ?? '';
  if (/^\d+$/.test(last)) return isPublicIpv4(labels.map(Number));
  const lastTwo = labels.slice(-2).join('.');
  return labels.length > 1 && !localDomains.has(last) && !localDomains.has(lastTwo);
}

/**
 * True if the address is not private, local or reserved. Does not check for documentation addresses, such as 192.0.2.0/24.
 */
function isPublicIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
  // 0.0.0.0/8 ('this network'), private, loopback, multicast and reserved addresses are not public.
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127; // 100.64.0.0/10 is for carrier-grade NAT.
  if (a === 169) return b !== 254; // 169.254.0.0/16 is link-local.
  if (a === 172) return b < 16 || b > 31; // 172.16.0.0/12 is private.
  if (a === 192) return b !== 168 && !(b === 0 && c === 0); // 192.168.0.0/16 is private, and 192.0.0.0/24 is reserved.
  return !(a === 198 && (b === 18 || b === 19)); // 198.18.0.0/15 is for benchmarks of networks.
}

/**
 * True if the address is in 2000::/3, the block of public addresses, but is not a 6to4 or Teredo address. These contain
 * an IPv4 address, which may not be public. Loopback, link-local, unique local, IPv4-mapped and NAT64 addresses are
 * outside 2000::/3.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16));
  return first >= 0x2000 && first <= 0x3fff && first !== 0x2002 && !(first === 0x2001 && second === 0);
}

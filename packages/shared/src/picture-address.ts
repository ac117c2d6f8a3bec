import { isWebUrl } from './fields.ts';
import { limits } from './limits.ts';

/**
 * Why a picture URL is not allowed: it is not an http(s) URL of allowed length, it contains a user name or password, or its
 * host is private.
 */
export type PictureFault = 'malformed' | 'credentials' | 'private';

/**
 * Checks a picture URL that a customer enters. Browsers of visitors load it, so it must not point into their own networks.
 * A public host name that resolves to a private address is not detected. Returns undefined if the URL is allowed.
 *
 * URLs below `/pictures/` of one of `ownOrigins` are always allowed, because a demonstration runs on localhost.
 */
export function pictureFault(value: string, ownOrigins: readonly string[]): PictureFault | undefined {
  if (value.length > limits.urlLength || !isWebUrl(value)) return 'malformed';
  const { username, password, origin, pathname, hostname } = new URL(value);
  if (username !== '' || password !== '') return 'credentials';
  if (ownOrigins.includes(origin) && pathname.startsWith('/pictures/')) return undefined;
  return isPublicHost(hostname) ? undefined : 'private';
}

/** Reserved for local use by RFC 6761, RFC 6762 (appendix G), RFC 8375 and ICANN. */
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
 * Expects the hostname of a parsed URL. The URL parser has already converted decimal, octal, hexadecimal, shortened,
 * percent-encoded and full-width forms to dotted decimals or lower-case names, and IPv6 to its shortest form in brackets.
 */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1));
  const labels = hostname.split('.').filter((label) => label !== ''); // a trailing dot does not change the host
  const last = labels.at(-1) ?? '';
  if (/^\d+$/.test(last)) return isPublicIpv4(labels.map(Number));
  const lastTwo = labels.slice(-2).join('.');
  return labels.length > 1 && !localDomains.has(last) && !localDomains.has(lastTwo);
}

/** Excludes the special-purpose blocks of IANA that are not globally reachable. */
function isPublicIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false; // this network, private, loopback, multicast and reserved
  if (a === 100) return b < 64 || b > 127; // carrier-grade NAT
  if (a === 169) return b !== 254; // link-local
  if (a === 172) return b < 16 || b > 31; // private
  if (a === 192) return b !== 168 && !(b === 0 && c === 0); // private, protocol assignments
  return !(a === 198 && (b === 18 || b === 19)); // benchmarks
}

/**
 * Only 2000::/3 is public. This excludes loopback, link-local, unique local, IPv4-mapped and NAT64 addresses. The tunnel
 * protocols 6to4 and Teredo are excluded too, because their addresses contain an IPv4 address.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16));
  return first >= 0x2000 && first <= 0x3fff && first !== 0x2002 && !(first === 0x2001 && second === 0);
}

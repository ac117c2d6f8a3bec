import { isWebUrl } from './fields.ts';
import { limits } from './limits.ts';

/**
 * Why a picture URL is not allowed: it is not an http(s) URL or too long (`malformed`), it contains a user name or password
 * (`credentials`), or its host is not public (`private`).
 */
export type PictureFault = 'malformed' | 'credentials' | 'private';

/**
 * Checks a picture URL that a customer enters. Returns undefined if it is allowed. The browsers of visitors load the
 * picture, so its host must not be in their own networks. A public host name that resolves to a private address is not
 * detected.
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

/** Domains for local networks, which are reserved by RFC 6761, RFC 6762 (appendix G), RFC 8375 and ICANN. */
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
 * True if the host is public. Expects the `hostname` of a parsed URL: the URL parser has already converted decimal, octal,
 * hexadecimal, shortened, percent-encoded and full-width forms to dotted decimals or lower-case names, and IPv6 addresses to
 * their shortest form in brackets.
 */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1));
  const labels = hostname.split('.').filter((label) => label !== ''); // a dot at the end does not change the host
  const last = labels.at(-1) ?? '';
  if (/^\d+$/.test(last)) return isPublicIpv4(labels.map(Number));
  const lastTwo = labels.slice(-2).join('.');
  return labels.length > 1 && !localDomains.has(last) && !localDomains.has(lastTwo);
}

/** True if the address is not in one of the IANA special-purpose blocks that are not globally reachable. */
function isPublicIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
  // "this network", private, loopback, multicast and reserved addresses.
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127; // carrier-grade NAT addresses
  if (a === 169) return b !== 254; // link-local addresses
  if (a === 172) return b < 16 || b > 31; // private addresses
  if (a === 192) return b !== 168 && !(b === 0 && c === 0); // private addresses and IETF protocol assignments
  return !(a === 198 && (b === 18 || b === 19)); // addresses that are reserved for benchmarks
}

/**
 * True if the address is in 2000::/3, the block of public addresses. It does not contain loopback, link-local, unique local,
 * IPv4-mapped and NAT64 addresses. Addresses of 6to4 and Teredo are not allowed either, because they contain an IPv4
 * address.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16));
  return first >= 0x2000 && first <= 0x3fff && first !== 0x2002 && !(first === 0x2001 && second === 0);
}

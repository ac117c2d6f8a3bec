import { isWebUrl } from './fields.ts';

/**
 * Why a text cannot be the address of a picture: it is no http(s) URL of at most 2,048 characters, it holds a user name
 * or password, or its host is reachable from some networks only.
 */
export type PictureFault = 'malformed' | 'credentials' | 'private';

/**
 * Checks the address of a picture that a customer gives. Visitors' browsers fetch it, so it must not reach into their own
 * network. A public name that resolves to a private address is not detected. Undefined when nothing is wrong.
 *
 * Pictures of this product, below `/pictures/` of one of `ownOrigins`, are accepted wherever the product runs: a
 * demonstration runs on localhost.
 */
export function pictureFault(value: string, ownOrigins: readonly string[]): PictureFault | undefined {
  if (value.length > 2048 || !isWebUrl(value)) return 'malformed';
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
 * `hostname` is that of a parsed URL. The parser has already turned decimal, octal, hexadecimal, shortened, percent-encoded
 * and full-width forms into plain dotted decimals or lower-case names, and IPv6 into its shortest form in brackets.
 */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1));
  const labels = hostname.split('.').filter((label) => label !== ''); // a trailing dot names the same host
  const last = labels.at(-1) ?? '';
  if (/^\d+$/.test(last)) return isPublicIpv4(labels.map(Number));
  const lastTwo = labels.slice(-2).join('.');
  return labels.length > 1 && !localDomains.has(last) && !localDomains.has(lastTwo);
}

/** Not one of IANA's special-purpose blocks that are not globally reachable. */
function isPublicIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false; // this network, private, loopback, multicast and reserved
  if (a === 100) return b < 64 || b > 127; // carrier-grade NAT
  if (a === 169) return b !== 254; // link-local
  if (a === 172) return b < 16 || b > 31; // private
  if (a === 192) return b !== 168 && !(b === 0 && c === 0); // private, protocol assignments
  return !(a === 198 && (b === 18 || b === 19)); // benchmarks
}

/**
 * Only 2000::/3 is public. That excludes loopback, link-local, unique local, IPv4-mapped and NAT64 addresses. The tunnels
 * 6to4 and Teredo, which carry an IPv4 address, are excluded too.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16));
  return first >= 0x2000 && first <= 0x3fff && first !== 0x2002 && !(first === 0x2001 && second === 0);
}

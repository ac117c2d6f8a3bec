import { describe, expect, it } from 'vitest';
import { normalizePictureUrl, pictureFault } from '../src/index.ts';

const own = ['http://localhost:3000', 'https://kitchen.example'];
const faultOf = (value: string) => pictureFault(value, own);

describe('pictureFault', () => {
  it.each([
    'https://pictures.example/hood.jpg',
    'HTTP://PICTURES.EXAMPLE:8080/hood.jpg?w=1#x',
    'https://pictures.example./hood.jpg',
    'https://bücher.example/ä.png',
    'https://localhost.pictures.example/a.png',
    'https://local.example/a.png',
    'https://internal.example/a.png',
    'https://127.0.0.1.pictures.example/a.png',
    'https://8.8.8.8/a.png',
    'https://172.15.255.255/a.png',
    'https://172.32.0.1/a.png',
    'https://100.63.0.1/a.png',
    'https://100.128.0.1/a.png',
    'https://169.253.0.1/a.png',
    'https://192.0.1.1/a.png',
    'https://192.167.0.1/a.png',
    'https://198.20.0.1/a.png',
    'https://223.255.255.255/a.png',
    'https://[2a00:1450:4001:81b::200e]/a.png',
    'https://[2001:4860:4860::8888]/a.png',
  ])('allows the public URL %s', (value) => {
    expect(faultOf(value)).toBeUndefined();
  });

  it.each([
    [
      'the name of this machine',
      ['http://localhost/a.png', 'http://LOCALHOST:3000/a.png', 'http://api.localhost/a.png'],
    ],
    ['the name of this machine and trailing dots', ['http://localhost./a.png', 'http://localhost../a.png']],
    ['an encoded name of this machine', ['http://%6c%6fcalhost/a.png', 'http://ⓛocalhost/a.png']],
    [
      'an address in the loopback block',
      ['http://127.0.0.1/a.png', 'http://127.255.255.254/a.png', 'http://127.0.0.1./a.png'],
    ],
    ['a loopback address in decimal', ['http://2130706433/a.png']],
    ['a loopback address in octal', ['http://0177.0.0.1/a.png', 'http://017700000001/a.png']],
    ['a loopback address in hexadecimal', ['http://0x7f.0.0.1/a.png', 'http://0x7f000001/a.png']],
    ['a shortened loopback address', ['http://127.1/a.png', 'http://127.0.1/a.png', 'http://0/a.png']],
    ['a loopback address in full-width digits', ['http://１２７.0.0.1/a.png']],
    ['a private IPv4 address', ['http://10.0.0.1/a.png', 'http://172.16.0.1/a.png', 'http://172.31.255.255/a.png']],
    ['the address of a home router', ['http://192.168.1.1/reboot', 'http://0xc0a80101/reboot', 'http://router/reboot']],
    ['a link-local IPv4 address', ['http://169.254.169.254/latest/meta-data']],
    [
      'another unreachable IPv4 address',
      ['http://0.0.0.0/a', 'http://100.64.0.1/a', 'http://192.0.0.8/a', 'http://198.18.0.1/a'],
    ],
    [
      'a multicast, reserved or broadcast address',
      ['http://224.0.0.1/a', 'http://240.0.0.1/a', 'http://255.255.255.255/a'],
    ],
    ['a loopback IPv6 address', ['http://[::1]/a.png', 'http://[0:0:0:0:0:0:0:1]/a.png', 'http://[::]/a.png']],
    ['an IPv4-mapped IPv6 address', ['http://[::ffff:127.0.0.1]/a.png', 'http://[::ffff:c0a8:101]/a.png']],
    [
      'an IPv4 address in another IPv6 form',
      ['http://[::7f00:1]/a', 'http://[64:ff9b::a00:1]/a', 'http://[2002:7f00:1::]/a'],
    ],
    ['a Teredo address', ['http://[2001::1]/a.png', 'http://[2001:0:53aa:64c::1]/a.png']],
    ['a link-local IPv6 address', ['http://[fe80::1]/a.png', 'http://[febf::1]/a.png']],
    [
      'a unique local or multicast IPv6 address',
      ['http://[fc00::1]/a.png', 'http://[fd12:3456::1]/a.png', 'http://[ff02::1]/a'],
    ],
    ['a local domain', ['http://printer.local/a.png', 'http://Printer.LOCAL./a.png', 'http://a.b.local/a.png']],
    ['an internal domain', ['http://vault.internal/a.png', 'http://nas.lan/a.png', 'http://x.home.arpa/a.png']],
    ['a name without a dot', ['http://intranet/a.png', 'http://nas:8080/a.png']],
  ])('rejects a URL with %s, because its host is private', (_, values) => {
    expect(values.map((value) => [value, faultOf(value)])).toEqual(values.map((value) => [value, 'private']));
  });

  it.each(['https://lena@pictures.example/a.png', 'https://:secret@pictures.example/a.png', 'http://a:b@localhost/a'])(
    'rejects %s because it contains a user name or password',
    (value) => {
      expect(faultOf(value)).toBe('credentials');
    },
  );

  it.each([
    '',
    'hood.jpg',
    '/pictures/hood.svg',
    'javascript:alert(1)',
    'ftp://a.example/a.png',
    'http://[::1',
    'http://1.2.3.256/',
  ])('rejects %j because it is malformed', (value) => {
    expect(faultOf(value)).toBe('malformed');
  });

  it('allows URLs of up to 2,048 characters', () => {
    const longest = `https://a.example/${'x'.repeat(2030)}`;
    expect([faultOf(longest), faultOf(`${longest}x`)]).toEqual([undefined, 'malformed']);
  });

  it('allows a URL with a private host only if it is below /pictures/ of an origin of this product', () => {
    expect(faultOf('http://localhost:3000/pictures/avatar-1.svg')).toBeUndefined();
    expect(faultOf('http://localhost:3000/pictures/../api/services')).toBe('private');
    expect(faultOf('http://localhost:3000/')).toBe('private');
    expect(faultOf('http://localhost:3001/pictures/avatar-1.svg')).toBe('private');
    expect(pictureFault('http://localhost:3000/pictures/avatar-1.svg', [])).toBe('private');
  });

  it('does not block the server when many characters of a URL repeat', () => {
    for (const unit of ['.', 'a.', '1.', '%2e', '@', '[', ':']) {
      const from = performance.now();
      faultOf(`http://${unit.repeat(2040 / unit.length)}/`);
      pictureFault(`http://${unit.repeat(100_000)}/`, own);
      // This takes some milliseconds. Regular expressions that need exponential time would take much longer.
      expect(performance.now() - from).toBeLessThan(1000);
    }
  });
});

describe('normalizePictureUrl', () => {
  it.each([
    ['HTTPS://IMG.example:443/./a/../hood.png?#1', 'https://img.example/hood.png'],
    [' http://img.example.:80/%68%6Fod%2f1.png ', 'http://img.example/hood%2F1.png'],
    ['https://bücher.example/ä b.png?x=%7e', 'https://xn--bcher-kva.example/%C3%A4%20b.png?x=~'],
  ])('returns the same text for all spellings of a URL, such as %s', (value, normalized) => {
    expect(normalizePictureUrl(value)).toBe(normalized);
    expect(normalizePictureUrl(normalized)).toBe(normalized);
  });
});

it('pictureFault rejects a URL whose normalized form is too long', () => {
  expect(faultOf(`https://pictures.example/${'ä'.repeat(400)}.png`)).toBe('malformed');
});

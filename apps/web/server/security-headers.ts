import { createHash } from 'node:crypto';
import type { WebConfig } from '@rtr/shared';

interface PageFacts {
  /** The built index.html: its inline scripts run by their hashes alone. */
  html: string;
  auth: Pick<WebConfig, 'authDomain' | 'authEmulator'>;
  /** Whether the browser came over https. */
  secure: boolean;
}

/** What every answer of the web server carries. The API sets its own. */
export function securityHeaders({ html, auth, secure }: PageFacts): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(html, auth),
    // 'same-origin' would cut the Google popup off from the page that waits for it.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}

function contentSecurityPolicy(html: string, { authDomain, authEmulator }: PageFacts['auth']): string {
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", 'https://apis.google.com', ...inlineScriptHashes(html)],
    'connect-src': [
      "'self'",
      'https://identitytoolkit.googleapis.com',
      'https://securetoken.googleapis.com',
      ...(authEmulator ? [authEmulator] : []),
    ],
    'frame-src': [`https://${authDomain}`],
    // Customers' pictures may stand anywhere.
    'img-src': ["'self'", 'data:', 'https:', 'http:'],
    // react-hot-toast and react-zoom-pan-pinch inject styles.
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

/** CSP sources for the scripts that stand in the page itself; data blocks, such as JSON-LD, need none. */
function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(([, attributes = '']) => !/\ssrc=/i.test(attributes) && !/\stype="(?!module")/i.test(attributes))
    .map(([, , code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
}

import { hash } from 'node:crypto';
import { earlyActionsScript } from './early-actions-script.ts';

/**
 * Returns the security headers for the pages and files of the web app. `authDomain` is the domain of Firebase's sign-in
 * popup.
 */
export function securityHeaders(authDomain: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(authDomain),
    // With the stricter value 'same-origin', the page could not communicate with the Google sign-in popup that it opened.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Browsers ignore the header Strict-Transport-Security on http connections, so the server can always send it.
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  };
}

/**
 * Returns the Content-Security-Policy, which is the same for all pages. It allows the only inline script by its hash.
 */
function contentSecurityPolicy(authDomain: string): string {
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'sha256-${hash('sha256', earlyActionsScript, 'base64')}'`, 'https://apis.google.com'],
    'connect-src': ["'self'", 'https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    'frame-src': [`https://${authDomain}`],
    // Allows pictures from any host, because customers enter the URLs of pictures. Private pictures have `blob:` URLs,
    // because the page requests them with the access token.
    'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
    // Allows inline styles, because react-hot-toast and react-zoom-pan-pinch add them.
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

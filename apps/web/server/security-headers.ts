/** Returns the headers of every response except those of the API. `authDomain` is the domain of Firebase's sign-in popup. */
export function securityHeaders(authDomain: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(authDomain),
    // With 'same-origin', the page would lose the connection to the sign-in popup of Google that it opened.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Browsers ignore this header over http.
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  };
}

/** Returns the Content-Security-Policy. It is the same for all pages, because they have no inline script. */
function contentSecurityPolicy(authDomain: string): string {
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", 'https://apis.google.com'],
    'connect-src': ["'self'", 'https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    'frame-src': [`https://${authDomain}`],
    // Customers' pictures can be on any host.
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

interface Facts {
  /** Firebase's domain for the sign-in window. */
  authDomain: string;
  /** Whether the browser came over https. */
  secure: boolean;
}

/** What every answer of the web server carries. The API sets its own. */
export function securityHeaders({ authDomain, secure }: Facts): Map<string, string> {
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(authDomain),
    // 'same-origin' would cut the Google popup off from the page that waits for it.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
  return new Map(Object.entries(headers));
}

/** Pages have no inline script, so the policy is the same for all of them. */
function contentSecurityPolicy(authDomain: string): string {
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", 'https://apis.google.com'],
    'connect-src': ["'self'", 'https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
    'frame-src': [`https://${authDomain}`],
    // Customers' pictures may be on any host.
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

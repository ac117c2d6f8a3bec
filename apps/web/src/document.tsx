import font from '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2?url';
import { App, type AppProps } from './app.tsx';
import { earlyActionsId } from './lib/early-actions.ts';
import { type PagePayload, payloadId } from './lib/page-payload.ts';
import { themeColorMediaQuery } from './lib/theme.ts';

interface DocumentProps extends Omit<AppProps, 'page'> {
  payload: Pick<PagePayload, 'page' | 'assets'>;
  /**
   * The data that the server sends with the HTML (`PagePayload`), as JSON. The browser reads it from a `<script>`
   * element.
   */
  json: string;
  /** The inline script that records what a visitor does before the hydration. The browser reads it from its element. */
  earlyActionsScript: string;
}

/**
 * The whole HTML document. The component of each page renders the title and the description, and React moves them into the
 * head.
 */
export function Document({ payload: { page, assets }, json, earlyActionsScript, ...app }: DocumentProps) {
  const { theme } = page;
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          data-theme-color="light"
          content="#ffffff"
          media={themeColorMediaQuery('light', theme)}
        />
        <meta
          name="theme-color"
          data-theme-color="dark"
          content="#141f1d"
          media={themeColorMediaQuery('dark', theme)}
        />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="modulepreload" href={assets.app} fetchPriority="low" />
      </head>
      <body>
        <script id={earlyActionsId} dangerouslySetInnerHTML={{ __html: earlyActionsScript }} />
        <App page={page} {...app} />
        <script id={payloadId} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
      </body>
    </html>
  );
}

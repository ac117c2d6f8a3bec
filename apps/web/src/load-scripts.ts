import type { PagePayload, payloadId } from './lib/page-payload.ts';

// Starts the web app. The HTML of a page does not refer to the scripts of its route, because they would delay the stylesheet
// and the first paint on a slow network. Instead, this script requests them. The browser runs it when the stylesheet has
// loaded. This file imports nothing, so that it stays small.
const id: typeof payloadId = 'page-payload';
const { assets } = JSON.parse(document.getElementById(id)?.textContent ?? '') as PagePayload;

for (const href of assets.routeScripts) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  link.fetchPriority = 'low';
  document.head.append(link);
}

const start = () => void import(/* @vite-ignore */ assets.app);

// Starts the app after the first paint, because otherwise the app would delay the paint on a fast network. In a hidden tab, the
// app starts at once, because the browser does not paint the page.
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));

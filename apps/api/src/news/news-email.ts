import { addressOfNews, limits, newsSentence, productName, type SentencePart } from '@rtr/shared';
import type { Email } from './mail-server.ts';
import type { UnreadNews } from './news.store.ts';

const text = {
  subject: (count: string) => `${count} new ${count === '1' ? 'thing' : 'things'} at ${productName}`,
  more: (count: string) => `And ${count} more.`,
  seeAll: 'See your news',
  reason:
    'You get this email because you switched on emails about news on your account page. We send at most one an hour.',
  stop: 'Stop these emails',
};

interface NewsEmailContents extends Pick<UnreadNews, 'entries' | 'count'> {
  webOrigin: string;
  unsubscribeKey: string;
}

/**
 * Creates an email with one sentence for each entry, which links to the place of the entry. It contains names and titles, but
 * not the content of reviews, replies and messages. The subject contains nothing that a person has written.
 */
export function createNewsEmail({
  entries,
  count,
  webOrigin,
  unsubscribeKey,
}: NewsEmailContents): Pick<Email, 'subject' | 'text' | 'html' | 'headers'> {
  const subject = text.subject(shownCount(count));
  const more = count > entries.length ? text.more(shownCount(count - entries.length)) : undefined;
  const newsAddress = `${webOrigin}/news`;
  const stopAddress = `${webOrigin}/unsubscribe/${unsubscribeKey}`;
  const items = entries.map((entry) => ({
    sentence: [...newsSentence(entry), '.'],
    address: webOrigin + addressOfNews(entry),
  }));
  return {
    subject,
    headers: {
      // With these two headers, mail clients show a button to unsubscribe, which sends a POST request (RFC 8058).
      'List-Unsubscribe': `<${webOrigin}/api/unsubscribe/${unsubscribeKey}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: [
      ...items.map(({ sentence, address }) => `${sentence.map(toPlainText).join('')}\n${address}`),
      ...(more ? [more] : []),
      `${text.seeAll}: ${newsAddress}`,
      `-- \n${text.reason}\n${text.stop}: ${stopAddress}\n`,
    ].join('\n\n'),
    html: createHtml({
      subject,
      items: items
        .map(
          ({ sentence, address }) =>
            `<li class="item" style="${style.item}"><a class="text" href="${escapeHtml(address)}" style="${style.sentence}">${sentence.map(toHtml).join('')}</a></li>`,
        )
        .join('\n'),
      more: more ? `<p class="muted" style="${style.note}">${more}</p>` : '',
      newsAddress: escapeHtml(newsAddress),
      stopAddress: escapeHtml(stopAddress),
    }),
  };
}

/** Entries are counted only up to a limit. */
const shownCount = (count: number) => (count >= limits.maxNewsCount ? `${limits.maxNewsCount}+` : String(count));

/** Keeps a text of a person on its line, so that it cannot look like another entry or change the direction of the sentence. */
const toPlainText = (part: SentencePart) =>
  typeof part === 'string' ? part : part.userText.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();

const toHtml = (part: SentencePart) =>
  typeof part === 'string' ? escapeHtml(part) : `<bdi>${escapeHtml(part.userText)}</bdi>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (value: string) => value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const font = "font-family:'Familjen Grotesk Variable','Familjen Grotesk',system-ui,sans-serif";
/** Many mail clients ignore style sheets. So the light colours are inline, and only the dark ones are in the style sheet. */
const style = {
  page: `margin:0;padding:24px 12px;background:#EEF2F1;color:#10211F;${font};font-size:17px;line-height:1.55`,
  card: 'max-width:560px;margin:0 auto;background:#FFFFFF;border:2px solid #10211F;border-radius:14px',
  air: 'height:6px;line-height:6px;font-size:0',
  content: 'padding:24px',
  brand: 'margin:0 0 16px;color:#485C58;font-size:15px;font-weight:600',
  heading: 'margin:0 0 12px;font-size:26px;line-height:1.1;letter-spacing:-0.018em',
  list: 'margin:0;padding:0;list-style:none;border-top:4px solid #10211F',
  item: 'margin:0;padding:12px 0;border-bottom:2px dashed #CAD5D2',
  sentence: 'color:#10211F;text-decoration:underline;overflow-wrap:anywhere',
  note: 'margin:16px 0 0;color:#485C58',
  button:
    'display:inline-block;margin:24px 0 0;padding:11px 20px;border-radius:10px;background:#0A5C58;color:#FFFFFF;font-weight:600;text-decoration:none',
  reason:
    'margin:24px 0 0;padding:16px 0 0;border-top:2px dashed #CAD5D2;color:#485C58;font-size:15px;line-height:1.45',
  link: 'color:#0A5C58',
};

interface HtmlParts {
  subject: string;
  /** The items of the list, as HTML. */
  items: string;
  more: string;
  newsAddress: string;
  stopAddress: string;
}

/** The line of air at the top goes from heat to cool, as in the drawings of the web app. */
const createHtml = ({ subject, items, more, newsAddress, stopAddress }: HtmlParts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #0C1413 !important; color: #E9F1EF !important; }
  .card { background: #141F1D !important; border-color: #E9F1EF !important; }
  .list { border-color: #E9F1EF !important; }
  .item, .reason { border-color: #2B3A37 !important; }
  .text { color: #E9F1EF !important; }
  .muted { color: #A6B7B3 !important; }
  .link { color: #67D3C7 !important; }
  .button { background: #67D3C7 !important; color: #05231F !important; }
}
</style>
</head>
<body class="page" style="${style.page}">
<div class="card" style="${style.card}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td style="${style.air};background:#F2622E;border-radius:12px 0 0 0">&nbsp;</td><td style="${style.air};background:#F7B23B">&nbsp;</td><td style="${style.air};background:#2F9CC0;border-radius:0 12px 0 0">&nbsp;</td></tr></table>
<div style="${style.content}">
<p class="muted" style="${style.brand}">${productName}</p>
<h1 style="${style.heading}">${subject}</h1>
<ul class="list" style="${style.list}">
${items}
</ul>
${more}
<p style="margin:0"><a class="button" href="${newsAddress}" style="${style.button}">${text.seeAll}</a></p>
<p class="muted reason" style="${style.reason}">${text.reason}<br><a class="link" href="${stopAddress}" style="${style.link}">${text.stop}</a></p>
</div>
</div>
</body>
</html>
`;

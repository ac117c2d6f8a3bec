import { isWebUrl, type ServiceDetails, type WebPath, webPages } from '@rtr/shared';

/** What a page says of itself to search engines and link previews. */
export interface Head {
  /** Begins its title. */
  name: string;
  description?: string;
  /** Its one address. Absent from pages that nobody lists. */
  path?: string;
  /** URL of a picture that previews can show; ours where there is none. */
  image?: string;
  /** URL of the picture that the page shows first: fetched before the app knows of it. */
  picture?: string;
  /** The same for programs: schema.org, as JSON-LD. */
  data?: object;
}

const site = 'RTR Cloud Kitchen';
const excerptLength = 200;

/** The tags of a page. All but the title are marked, so that the app can take them away when it shows another page. */
export function headHtml({ name, description, path, image, picture, data }: Head, origin: string): string {
  const title = `<title>${escaped(`${name} ${site}`)}</title>`;
  const described = description === undefined ? [] : [meta('name', 'description', description)];
  if (path === undefined) return [title, ...described].join('\n');
  const preview = {
    'og:site_name': site,
    'og:type': 'website',
    'og:title': path === '/' ? site : name,
    'og:description': description,
    'og:url': origin + path,
    'og:image': image ?? `${origin}/pictures/preview.png`,
    ...(image === undefined && { 'og:image:width': '1200', 'og:image:height': '630' }),
  };
  return [
    title,
    ...described,
    `<link rel="canonical" href="${escaped(origin + path)}" data-page>`,
    ...Object.entries(preview).map(([property, content = '']) => meta('property', property, content)),
    meta('name', 'twitter:card', 'summary_large_image'),
    // Pictures may stand anywhere: whoever runs that address is not told from which page, as in the app.
    ...(picture === undefined
      ? []
      : [
          `<link rel="preload" as="image" href="${escaped(picture)}" fetchpriority="high" referrerpolicy="no-referrer" data-page>`,
        ]),
    ...(data ? [`<script type="application/ld+json" data-page>${jsonLd(data)}</script>`] : []),
  ].join('\n');
}

/** Of a page that is the same for everyone. */
export function pageHead(path: WebPath): Head {
  const page: { name: string; description?: string } = webPages[path];
  return page.description === undefined ? page : { ...page, path };
}

export function homeHead(origin: string): Head {
  const { description } = webPages['/'];
  return {
    ...pageHead('/'),
    data: {
      '@type': 'WebSite',
      name: site,
      url: `${origin}/`,
      description,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${origin}/services?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
  };
}

/** Without rows for a search: its address is that of the whole list, whose rows are others. */
export function servicesHead(origin: string, rows: readonly { _id: string; title: string }[]): Head {
  return {
    ...pageHead('/services'),
    data: {
      '@type': 'CollectionPage',
      name: webPages['/services'].name,
      url: `${origin}/services`,
      ...(rows.length > 0 && {
        mainEntity: {
          '@type': 'ItemList',
          itemListElement: rows.map(({ _id, title }, index) => ({
            '@type': 'ListItem',
            position: index + 1,
            url: `${origin}/services/${_id}`,
            name: nameOf(title),
          })),
        },
      }),
    },
  };
}

/** Stars are customers' alone: the lister's own claim is no rating. */
export function serviceHead(origin: string, service: ServiceDetails): Head {
  const { _id, title, description, img, averageRating, ratingCount } = service;
  const name = nameOf(title);
  const path = `/services/${_id}`;
  const said = excerptOf(description) || webPages['/services/:id'].description;
  return {
    name,
    description: said,
    path,
    ...(isWebUrl(img) && { picture: img }),
    ...(isWebUrl(img) && !/\.svg$/i.test(new URL(img).pathname) && { image: img }), // previews take no SVG
    data: {
      '@type': 'Service',
      name,
      description: said,
      url: origin + path,
      ...(isWebUrl(img) && { image: img }),
      ...(averageRating !== null && {
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: averageRating,
          ratingCount,
          bestRating: 5,
          worstRating: 1,
        },
      }),
    },
  };
}

const nameOf = (title: string) => title.trim() || webPages['/services/:id'].name;

/** The first words of a text, on one line. */
function excerptOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const start = Array.from(line).slice(0, excerptLength).join(''); // no character is cut in half
  if (start === line) return line;
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`;
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escaped(content)}" data-page>`;
}

/** Text as it may stand in an element or in a quoted attribute. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** No text in it can end the script element, nor open a comment in it. */
function jsonLd(data: object): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', String.raw`\u003c`);
}

import { isWebUrl, type ServiceDetails } from '@rtr/shared';
import { titleOf } from './texts.ts';

const text = { noDescription: 'What this kitchen service costs, and what customers say of it.' };

const excerptLength = 200;
const listedCount = 20;

/** The first services of a list as schema.org data. */
export function servicesData(services: readonly { _id: string; title: string }[], origin: string) {
  return {
    '@type': 'ItemList',
    itemListElement: services.slice(0, listedCount).map((service, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: `${origin}/services/${service._id}`,
      name: titleOf(service),
    })),
  };
}

/** A service as schema.org data. Its stars are the customers'; the lister's own rating is left out. */
export function serviceData(service: ServiceDetails, origin: string) {
  const { _id, img, averageRating, ratingCount } = service;
  return {
    '@type': 'Service',
    name: titleOf(service),
    description: summaryOf(service),
    url: `${origin}/services/${_id}`,
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
  };
}

/** The picture of a service, if link previews can show it: they show no SVG. */
export function previewPictureOf({ img }: { img: string }): string | undefined {
  return isWebUrl(img) && !/\.svg$/i.test(new URL(img).pathname) ? img : undefined;
}

/** The first words of a description, on one line. */
export function summaryOf({ description }: { description: string }): string {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  // By code points, so that no character is cut in half.
  const start = Array.from(line.slice(0, excerptLength * 2))
    .slice(0, excerptLength)
    .join('');
  if (start === line) return line || text.noDescription;
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`;
}

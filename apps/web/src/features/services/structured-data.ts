import { isWebUrl, type ServiceDetails } from '@rtr/shared';
import { titleOf } from './texts.ts';

const text = { noDescription: 'See the price and customer reviews of this kitchen service.' };

const excerptLength = 200;
const listedCount = 20;

/** Returns the first services of a list as schema.org data. */
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

/** Returns a service as schema.org data. It contains the customers' stars, but not the lister's own rating. */
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

/** Returns the picture of a service for link previews. Undefined for an SVG, which they cannot show. */
export function previewPictureOf({ img }: { img: string }): string | undefined {
  return isWebUrl(img) && !/\.svg$/i.test(new URL(img).pathname) ? img : undefined;
}

/** Returns the start of a description on one line. */
export function summaryOf({ description }: { description: string }): string {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  // Splits the text into code points, so that the cut is not inside a character.
  const start = Array.from(line.slice(0, excerptLength * 2))
    .slice(0, excerptLength)
    .join('');
  if (start === line) return line || text.noDescription;
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`;
}

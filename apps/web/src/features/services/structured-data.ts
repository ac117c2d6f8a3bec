import { isWebUrl, type Lister, type ServiceDetails, titleOf } from '@rtr/shared';

const text = { noDescription: 'See the price and customer reviews of this kitchen service.' };

const excerptLength = 200;
const listedCount = 20;

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

/**
 * Describes a service as schema.org data, for search engines. The rating is the average of the customers' stars, without the
 * lister's own rating.
 */
export function serviceData(service: ServiceDetails, origin: string) {
  const { _id, img, averageRating, ratingCount, listerName, listerId, phone, website, area } = service;
  return {
    '@type': 'Service',
    name: titleOf(service),
    description: summaryOf(service),
    url: `${origin}/services/${_id}`,
    ...(isWebUrl(img) && { image: img }),
    ...(area && { areaServed: area }),
    ...((listerName || phone || website) && {
      provider: {
        '@type': 'Person',
        ...(listerId && { '@id': listerUrl(listerId, origin) }),
        ...(listerName && { name: listerName }),
        ...(phone && { telephone: phone }),
        ...(website && { url: website }),
      },
    }),
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

const listerUrl = (id: string, origin: string) => `${origin}/listers/${id}`;

/** Describes the page of a lister as schema.org data. A rating is not part of it, because schema.org has none for people. */
export function listerData(
  { _id, name, picture, createdAt }: Lister,
  services: readonly { _id: string; title: string }[],
  origin: string,
) {
  const url = listerUrl(_id, origin);
  return {
    '@type': 'ProfilePage',
    url,
    dateCreated: createdAt,
    mainEntity: { '@type': 'Person', '@id': url, name, url, ...(isWebUrl(picture) && { image: picture }) },
    ...(services.length > 0 && { mentions: servicesData(services, origin) }),
  };
}

/**
 * Returns the URL of the service's picture for link previews. Returns undefined for an SVG file, which link previews cannot
 * show.
 */
export function previewPictureOf({ img }: { img: string }): string | undefined {
  return isWebUrl(img) && !/\.svg$/i.test(new URL(img).pathname) ? img : undefined;
}

/** Returns a description as one line. A long description is cut at a space, to about 200 characters. */
export function summaryOf({ description }: { description: string }): string {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  // Cuts between code points, so that no surrogate pair is split, such as that of an emoji.
  const start = Array.from(line.slice(0, excerptLength * 2))
    .slice(0, excerptLength)
    .join('');
  if (start === line) return line || text.noDescription;
  return `${start.slice(0, start.lastIndexOf(' ') + 1 || undefined).trimEnd()}…`;
}

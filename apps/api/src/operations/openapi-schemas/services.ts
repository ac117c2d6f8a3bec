import * as shared from '@rtr/shared';
import { type DescribedSchema, describeObject } from './described-schema.ts';

const { limits } = shared;

const listerFields = {
  title: 'Can be empty.',
  ratting:
    "The lister's own rating of the service, as free text. The name is misspelt on purpose. Customers' stars are in `averageRating`.",
  price: "Free text, such as 'from $1,200'. `sort=price` uses the first number in it.",
  description: 'Plain text. Can be empty.',
  phone: 'The phone number of the lister, as free text with at least 5 digits. Can be empty.',
  website: 'The website of the lister: an http or https URL without user information, or empty.',
  area: "The area where the lister works, as free text, such as 'Brooklyn and Queens'. Can be empty.",
  hours: "The opening hours in the lister's own words. Can be empty.",
  licence: "The licences of the lister in the lister's own words. Nobody has checked them. Can be empty.",
  insured: 'Whether the lister says that they are insured. Empty if they do not say.',
};

const serviceFields = {
  ...listerFields,
  _id: 'The id of the service.',
  img: 'The URL of the picture. Empty if there is none.',
  listerName:
    "The name of the lister when they added the service, or 'Customer' if they had none. Empty if it is unknown, for example after the lister deleted their account.",
  listerId: 'The id of the lister for `GET /listers/{id}`. Empty after the lister deleted their account.',
  createdAt: 'The time when the API added the service.',
  updatedAt: 'The time of the last edit by the lister. If there was none, it equals `createdAt`.',
  reviewCount: 'The number of reviews, with or without stars. Deleted and hidden reviews do not count.',
  ratingCount:
    'The number of customers whose stars count. If a customer has several reviews with stars, only the newest counts. Stars of the lister do not count.',
  averageRating:
    'The average stars of the customers in `ratingCount`, rounded to two decimals. Null if `ratingCount` is 0.',
};

const inputFields = {
  ...listerFields,
  img: 'The URL of the picture, or empty. URLs with user information, and URLs with a local, private or link-local host, are rejected with 400. So are URLs of uploaded pictures that you have not uploaded, or that do not exist any more. A picture that a moderator has removed is rejected with 409. The URL is stored in its normalized form.',
};

export const serviceSchemas: Record<string, DescribedSchema> = {
  service: describeObject(
    shared.service,
    'A service as everyone can read it. Its counts and its average can be some seconds old.',
    serviceFields,
  ),
  serviceDetails: describeObject(shared.serviceDetails, 'A service with the distribution of its stars.', {
    ...serviceFields,
    distribution: 'The customers in `ratingCount`, by the number of their stars.',
  }),
  starDistribution: describeObject(
    shared.starDistribution,
    'How many customers gave 1, 2, 3, 4 and 5 stars. The sum is `ratingCount`.',
    {
      1: 'Customers who gave 1 star.',
      2: 'Customers who gave 2 stars.',
      3: 'Customers who gave 3 stars.',
      4: 'Customers who gave 4 stars.',
      5: 'Customers who gave 5 stars.',
    },
  ),
  serviceInput: describeObject(
    shared.serviceInput,
    'A new service. No field is required. The lister is the customer in the access token.',
    inputFields,
  ),
  serviceEdit: describeObject(
    shared.serviceEdit,
    'An edit of a service by its lister. Absent fields keep their values, and an empty text removes the value. At least one field is required.',
    inputFields,
  ),
  ownService: describeObject(shared.ownService, 'A service as its lister can read it.', {
    ...serviceFields,
    unansweredCount: `The number of reviews without a reply, at most ${limits.maxUnansweredCount}. Reviews by the lister do not count. 0 while the service is hidden.`,
    hidden:
      'Present while the service is hidden. Then only the lister and moderators can read it, and it cannot be edited.',
    removedPicture: 'Present if a moderator has removed the picture, until the lister adds another one.',
  }),
  lister: describeObject(
    shared.lister,
    'A customer who has added services. Counts and stars are those of the newest 100 listed services. Without a listed service, and after the lister deleted their account, the response is 404.',
    {
      _id: 'The random public id of the lister.',
      name: "The name of the lister when they last added a service, or 'Customer' if they had none.",
      picture: 'The URL of the profile picture of the lister when they last added a service, or empty.',
      createdAt: 'The time when the lister added their first service.',
      reviewCount: 'The number of reviews of the services.',
      ratingCount: 'The number of ratings that count, as in each service.',
      averageRating: 'The average of these ratings, rounded to two decimals. Null if `ratingCount` is 0.',
      replyShare:
        'The share of the newest 200 reviews that has a reply, from 0 to 1. Reviews by the lister do not count. Null if there are no reviews.',
    },
  ),
  suggestion: describeObject(shared.suggestion, 'A suggestion for a search text.', {
    kind: '`service`: a service to open. `area`: a value for the parameter `area`. `search`: a value for the parameter `q`.',
    text: 'The title of the service, the area or the search text.',
    serviceId: 'The id of the service. Present only if `kind` is `service`.',
  }),
  areaCount: describeObject(shared.areaCount, 'An area of services.', {
    area: 'The area, as the lister of the newest of its services has written it.',
    count: 'The number of services with this area in upper or lower case, among the newest 10,000 services.',
  }),
};

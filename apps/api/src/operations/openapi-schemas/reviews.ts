import * as shared from '@rtr/shared';
import { type DescribedSchema, describeObject } from './described-schema.ts';

const { limits } = shared;

const reviewFields = {
  _id: 'The id of the review.',
  serviceId: 'The id of the reviewed service.',
  serviceName: 'The title of the service at the time of the review.',
  price: 'The price of the service at the time of the review, as free text.',
  img: 'The URL of the picture of the service at the time of the review. Empty if there was none, or if a moderator has removed it.',
  customer: `The name of the author at the time of the review, at most ${limits.nameLength} characters. 'Customer' if the author had no name.`,
  costomerImg:
    'The URL of the profile picture of the author at the time of the review, or empty. The name is misspelt on purpose.',
  review: 'The text of the review. Plain text, exactly as the author sent it. Can be empty.',
  rating: 'The stars of the author. Absent if the author gave none.',
  photos: 'Absent if there are no photos.',
  byLister:
    'True if the author is the lister of the service, otherwise absent. The stars of such a review do not count towards `averageRating`.',
  reply: 'The reply of the lister. Absent if there is none, or while it is hidden.',
  time: 'The local time of the author, as the client of the author formatted it. Can be empty. Use it only for display: see `createdAt`.',
  date: 'The local date of the author, as the client of the author formatted it. Can be empty. Use it only for display: see `createdAt`.',
  createdAt: 'The time when the API added the review.',
  updatedAt:
    'The time of the last edit by the author. If there was none, it equals `createdAt`. Replies, votes and moderators do not change it.',
  usefulCount: 'The number of customers who marked the review as useful.',
  isUsefulToMe:
    'Whether the customer in the access token marked the review as useful. Only `GET /allreview` and `GET /review/{id}` return it, and only for requests with a token.',
};

const authorFields = {
  email: 'The email address of the author at the time of the review, or empty if the account had none.',
  isUnlisted:
    'True if the service is withdrawn or hidden, otherwise absent. Then only the author and moderators can read the review.',
  hidden:
    'Present while the review is hidden. Then only the author and moderators can read it, and it cannot be changed.',
  removedPhotos: 'Present if a moderator has removed photos of the review, until the author adds other photos.',
};

const widths = new Intl.ListFormat('en', { type: 'disjunction' }).format(shared.pictureWidths.map(String));
const inputPhotos = `At most ${limits.photosPerReview} photos, each with a different URL.`;

const replyFields = {
  text: 'Plain text, exactly as the lister sent it.',
  name: "The name of the lister when they last saved the reply. 'Customer' if they had none.",
  createdAt: 'The time of the first version of the reply.',
  updatedAt: 'The time of the last change of the text. If there was none, it equals `createdAt`.',
};

const reviewedService = {
  reviewId: 'The id of the review.',
  serviceId: 'The id of the reviewed service.',
  serviceName: 'The title of the service at the time of the review.',
};

export const reviewSchemas: Record<string, DescribedSchema> = {
  review: describeObject(
    shared.review,
    'A review as everyone can read it. Title, price, pictures and name do not follow later changes of the service or the author.',
    reviewFields,
  ),
  ownReview: describeObject(shared.ownReview, 'A review as its author can read it.', {
    ...reviewFields,
    ...authorFields,
  }),
  reviewForReader: describeObject(
    shared.reviewForReader,
    'A single review. If the customer in the access token is its author, it is an `ownReview`. Otherwise, it is a `review`.',
    { ...reviewFields, ...authorFields },
  ),
  reviewPhoto: describeObject(shared.reviewPhoto, 'A photo in a review.', {
    url: `The URL of the uploaded picture. The parameter \`w\` selects a file with a width of at most ${widths} pixels.`,
    alt: 'A text for people who cannot see the photo. Can be empty.',
  }),
  reviewPhotoInput: describeObject(shared.reviewPhotoInput, 'A photo in a review that is added or edited.', {
    url: 'The `url` from `POST /pictures`, without parameters. A picture that you have not uploaded, or that does not exist any more, is rejected with 400. A picture that a moderator has removed is rejected with 409.',
    alt: 'A text for people who cannot see the photo.',
  }),
  reviewInput: describeObject(
    shared.reviewInput,
    'A new review. The API takes the author from the access token, and title, price and picture from the stored service. It ignores `serviceName`, `price`, `img`, `customer` and `costomerImg`.',
    {
      serviceId: 'The id of the reviewed service. An unknown id returns 404.',
      serviceName: 'Ignored.',
      price: 'Ignored.',
      customer: 'Ignored.',
      email:
        'Not stored. If present, it must be the email address in the access token, apart from case and surrounding spaces. Otherwise, the response is 403.',
      review: 'The text of the review, as plain text.',
      rating: 'The stars. Absent for a review without stars.',
      photos: inputPhotos,
      img: 'Ignored, but must be an http or https URL, or empty.',
      costomerImg: 'Ignored, but must be an http or https URL, or empty. The name is misspelt on purpose.',
      time: 'The local time of the author in any format, for display.',
      date: 'The local date of the author in any format, for display.',
    },
  ),
  reviewEdit: describeObject(
    shared.reviewEdit,
    'An edit of a review by its author. Absent fields keep their values. At least one field is required.',
    {
      review: 'The new text, as plain text.',
      rating: 'The new stars. Null removes the stars.',
      photos: `Replaces all photos. An empty list removes them. ${inputPhotos}`,
    },
  ),
  reply: describeObject(shared.reply, 'The reply of the lister to a review of their service.', replyFields),
  replyInput: describeObject(
    shared.replyInput,
    'A reply to a review. It replaces the reply of the lister, if there is one.',
    { text: 'Plain text with at least one character that is not white space.' },
  ),
  ownReply: describeObject(shared.ownReply, 'A reply as its author can read it.', {
    ...replyFields,
    ...reviewedService,
    hidden:
      'Present while the reply is hidden. Then only its author and moderators can read it, and it cannot be changed or deleted.',
  }),
  usefulVote: describeObject(shared.usefulVote, 'The votes of a review after the request.', {
    usefulCount: 'The number of customers who mark the review as useful.',
    isUsefulToMe: 'Whether you mark the review as useful.',
  }),
  ownVote: describeObject(shared.ownVote, 'A review that you marked as useful.', reviewedService),
};

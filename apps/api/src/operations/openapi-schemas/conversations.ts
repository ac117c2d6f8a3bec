import * as shared from '@rtr/shared';
import { type DescribedSchema, describeObject } from './described-schema.ts';

const { limits } = shared;

const conversationFields = {
  _id: 'The id of the conversation.',
  serviceId: 'The id of the service. The service may be withdrawn or hidden in the meantime.',
  serviceTitle: 'The title of the service when the conversation began.',
  role: 'Whether you are the customer who has asked, or the lister of the service.',
  other: 'The other participant.',
  status: 'A `closed` conversation takes no more messages. Both participants can close it.',
  isUnread: 'True if the other participant has sent a message that you have not marked as read.',
  messageCount: 'The number of messages.',
  lastMessage: 'The newest message.',
  createdAt: 'The time when the conversation began.',
};

const photoAlt = 'A text for people who cannot see the photo. Can be empty.';

export const conversationSchemas: Record<string, DescribedSchema> = {
  conversation: describeObject(
    shared.conversation,
    'A conversation of a customer with the lister of a service, as one of the two reads it. Nobody else can read it.',
    conversationFields,
  ),
  conversationDetails: describeObject(shared.conversationDetails, 'A conversation with its messages.', {
    ...conversationFields,
    messages: 'All messages, oldest first.',
  }),
  otherParticipant: describeObject(
    shared.otherParticipant,
    'The participant who is not the reader, as they were when the conversation began.',
    {
      name: 'The name. Empty if the account was closed.',
      picture: 'The URL of the profile picture. Empty if there is none, or if the account was closed.',
      isClosed: 'True if the account was closed, otherwise absent.',
    },
  ),
  lastMessage: describeObject(shared.lastMessage, 'The newest message of a conversation.', {
    isOwn: 'True if you have sent it.',
    excerpt: `The first ${limits.excerptLength} characters of its text. Empty for a message with photos only, and while it is hidden.`,
    createdAt: 'The time of the message.',
  }),
  message: describeObject(shared.message, 'A message.', {
    _id: 'The id of the message.',
    isOwn: 'True if you have sent it.',
    text: 'Plain text, exactly as it was sent. Empty while a moderator has hidden the message.',
    photos: 'Absent if there are no photos, or while a moderator has hidden the message.',
    isHidden: 'True while a moderator has hidden the message, otherwise absent.',
    createdAt: 'The time of the message.',
  }),
  messageInput: describeObject(shared.messageInput, 'A new message. It must contain a text or a photo.', {
    text: `Plain text, at most ${limits.messageLength} characters.`,
    photos: `At most ${limits.photosPerMessage} photos, each with a different id.`,
  }),
  messagePhoto: describeObject(shared.messagePhoto, 'A photo in a message.', {
    id: 'The id of the private picture. Get the picture with `GET /pictures/p/{id}`.',
    alt: photoAlt,
  }),
  messagePhotoInput: describeObject(shared.messagePhotoInput, 'A photo in a new message.', {
    id: 'The `id` from `POST /pictures/p`. A picture that you have not uploaded there, or that does not exist any more, is rejected with 400.',
    alt: photoAlt,
  }),
  privatePicture: describeObject(
    shared.privatePicture,
    'A picture for messages, which the API has converted to WebP. Only its uploader, and the recipients of messages with it, can read it.',
    {
      id: 'The id of the picture.',
      width: `The width of the largest file in pixels, at most ${Math.max(...shared.pictureWidths)}.`,
      height: 'The height of the largest file in pixels.',
    },
  ),
  conversationReadInput: describeObject(shared.conversationReadInput, 'Marks messages as read.', {
    until: 'The time of the newest message that you have read. Later messages stay unread.',
  }),
  newsKind: {
    schema: shared.newsKind,
    description:
      '`review`: a review of your service. `reply`: a reply to your review. `useful`: votes for your review, when their number reached 1, 5, or a multiple of 10. `decision`: a moderator has decided about your content. `report`: a moderator has decided about your report. `message`: unread messages in a conversation.',
  },
  newsEntry: describeObject(
    shared.newsEntry,
    'An entry of the news. It is derived from other data, so it disappears together with its cause.',
    {
      kind: 'What has happened.',
      at: 'When it has happened.',
      isNew: 'True if the entry is newer than `until` of your last `POST /news/seen`.',
      serviceId: 'The id of the service that the entry is about.',
      title: 'The title of the service.',
      reviewId: 'The id of the review. Absent if the entry is not about a review or its reply.',
      requestId: 'The id of the conversation. Absent if the entry is not about a message.',
      name: 'The name of the person who has written the review, the reply or the message. Absent for other kinds.',
      rating: 'The stars of the new review. Absent for the other kinds, and if the author gave none.',
      count: 'The number of votes that was reached. Absent for other kinds than `useful`.',
      part: 'The part of the content that the decision is about. Absent for other kinds than `decision` and `report`.',
      outcome: 'The result of the decision. Absent for other kinds than `decision` and `report`.',
    },
  ),
  newsCount: describeObject(shared.newsCount, 'The number of new entries of the news.', {
    count: `The number of entries with \`isNew\`, at most ${limits.maxNewsCount}.`,
  }),
  newsSeenInput: describeObject(shared.newsSeenInput, 'Marks entries of the news as seen.', {
    until: 'The `at` of the newest entry that you have seen. Later entries stay new.',
  }),
  newsEmails: describeObject(
    shared.newsEmails,
    'The setting of emails about news. News that is unread for 15 minutes is sent to the verified address of the account, at most once an hour.',
    {
      isAvailable: 'False if this server sends no emails.',
      isOn: 'True if you have switched emails on. They are off by default.',
    },
  ),
  newsEmailsInput: describeObject(shared.newsEmailsInput, 'Switches emails about news on or off.', {
    isOn: 'Whether to send emails. News from before is not sent.',
  }),
};

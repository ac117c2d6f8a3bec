import * as shared from '@rtr/shared';
import { type DescribedSchema, describeObject } from './described-schema.ts';

const { limits } = shared;

const reportFields = {
  reason: 'Why the customer reports the content.',
  text: 'What the customer adds, as plain text. Can be empty.',
};

const inputDescription = (target: string) =>
  `A report about a ${target}. If the customer has reported the same ${target} before, the new report replaces the old one and the status is 200 instead of 201.`;

export const moderationSchemas: Record<string, DescribedSchema> = {
  reportReason: {
    schema: shared.reportReason,
    description:
      '`spam`: spam or advertising. `abuse`: insults, threats or hate. `private`: private information about someone. `fake`: false or misleading. `other`: see the text of the report.',
  },
  reportedPart: {
    schema: shared.reportedPart,
    description:
      'A part of reported content. `review`, `service` and `message` are the whole content. `reply` is the reply to a review. `picture` is the picture of a service, or all photos of a review.',
  },
  moderationOutcome: {
    schema: shared.moderationOutcome,
    description: '`hidden`: content was hidden or removed. `kept`: the content stays visible.',
  },
  moderationAction: {
    schema: shared.moderationAction,
    description:
      '`hide` removes the content from all public reads, and `restore` makes it visible again. Pictures are different: `hide` removes them for good and blocks them, and `restore` only lifts the block. `dismiss` leaves everything as it is. Each action closes the case.',
  },
  reviewReport: describeObject(shared.reviewReport, inputDescription('review'), {
    ...reportFields,
    about: 'The reported part: the whole review, the reply of the lister, or the photos.',
  }),
  serviceReport: describeObject(shared.serviceReport, inputDescription('service'), {
    ...reportFields,
    about: 'The reported part: the whole service, or its picture.',
  }),
  messageReport: describeObject(shared.messageReport, inputDescription('message'), reportFields),
  reviewAppeal: describeObject(shared.reviewAppeal, 'The author asks moderators for another look at a decision.', {
    text: 'Why the decision is wrong, as plain text.',
    about: 'What was hidden or removed: the whole review, the reply of the lister, or the photos.',
  }),
  serviceAppeal: describeObject(shared.serviceAppeal, 'The lister asks moderators for another look at a decision.', {
    text: 'Why the decision is wrong, as plain text.',
    about: 'What was hidden or removed: the whole service, or its picture.',
  }),
  ownReport: describeObject(shared.ownReport, 'A report as the customer who sent it can read it.', {
    ...reportFields,
    target: 'The reported review, service or message.',
    about: 'The reported part.',
    createdAt: 'The time of the report.',
    status: '`open` until a moderator acts on the report.',
    outcome: 'Present if `status` is `closed`. Changes when the content is hidden or restored later.',
    hiddenPart: 'The hidden or removed part, which can be another part than `about`. Present if `outcome` is `hidden`.',
  }),
  reportTarget: describeObject(shared.reportTarget, 'The review, service or message that a report is about.', {
    kind: 'What was reported.',
    id: 'The id of the review, service or message, depending on `kind`.',
    serviceId: 'The id of the service. Equals `id` if a service was reported.',
    title:
      'The title of the service at the time of the report. For a review, the title at the time of the review. For a message, the title when the conversation began.',
    author:
      'The author of the reported part. Absent if the content does not exist any more, or if the author has no name.',
    excerpt: `The first ${limits.excerptLength} characters of the reported part. Absent if it is not public any more, or if it is empty.`,
  }),
  moderationCase: describeObject(
    shared.moderationCase,
    'All reports about one review, service or message, with the actions of moderators. Only moderators can read it.',
    {
      _id: 'The kind and the id of the reported content, such as `review-` and the id of the review.',
      status: '`open` while there is a report on which no moderator has acted.',
      version: 'Changes with each report, each action and each edit of the content. Send it with an action.',
      statusSince: 'The time when `status` last changed.',
      review:
        'The reported review as it is now, even if it or its reply is hidden. Absent if the case is about something else, or if the author has deleted the review.',
      service:
        'The reported service as it is now, even if it is hidden. Absent if the case is about something else, or if the lister has withdrawn the service.',
      message:
        'The reported message, even if it is hidden. Absent if the case is about something else, or if the message was erased.',
      hidden: 'What is hidden now.',
      isOwn:
        'Present if you have written or received the content, have written the reply, or have listed the service. Your actions then return 403.',
      reportCount:
        'The number of reports, including requests of the author for another look. Reports of deleted accounts do not count.',
      reports: `The newest reports, newest first, at most ${limits.reportsPerCase}.`,
      history: 'The actions of moderators, oldest first.',
    },
  ),
  hiddenParts: describeObject(
    shared.hiddenParts,
    'The parts of reported content that are hidden now. Visible parts are absent.',
    {
      review: 'Present if the whole review is hidden.',
      reply: 'Present if the reply to the review is hidden.',
      service: 'Present if the whole service is hidden.',
      message: 'Present if the message is hidden.',
    },
  ),
  reportedMessage: describeObject(
    shared.reportedMessage,
    'A reported message. Moderators read neither its photos nor the rest of the conversation.',
    {
      serviceId: 'The id of the service that the conversation is about.',
      serviceTitle: 'The title of the service when the conversation began.',
      name: 'The name of the sender when the conversation began. Empty if the account was closed.',
      text: 'The text of the message.',
      photoCount: 'The number of photos of the message.',
      createdAt: 'The time of the message.',
    },
  ),
  hiddenContent: describeObject(
    shared.hiddenContent,
    'Why and when a moderator or an operator has hidden or removed content.',
    {
      reason: 'A text for the author or lister. Can be empty.',
      at: 'The time when the content was hidden or removed.',
      isAppealed: 'Present if the author has asked for another look at this decision.',
    },
  ),
  caseReport: describeObject(shared.caseReport, 'A report as moderators can read it. They cannot see who sent it.', {
    by: 'The role of the sender: the lister of the service, the author of the review, or another customer.',
    reason: 'Why the customer reports the content. `appeal`: the author asks for another look at a decision.',
    text: reportFields.text,
    about: 'The reported part.',
    createdAt: 'The time of the report.',
    status: '`open` until a moderator acts on the report.',
  }),
  caseAction: describeObject(shared.caseAction, 'An action of a moderator.', {
    action: 'What the moderator did.',
    part: 'The part that the action is about.',
    reason: 'The text of the moderator. For `hide`, the author or lister reads it. Can be empty for `dismiss`.',
    at: 'The time of the action.',
    by: 'The name of the moderator.',
  }),
  moderationInput: describeObject(shared.moderationInput, 'An action of a moderator, which closes the case.', {
    action: 'What to do.',
    part: 'The part that the action is about. If absent, the action is about the whole review, service or message.',
    reason: 'Why. If the action is `hide`, the author or lister reads it. Must not be empty, except for `dismiss`.',
    version:
      'The `version` of the case that you have read. If the case or its content has changed since then, the response is 412 with the current case.',
  }),
};

import type { Db } from 'mongodb';
import { type AccountDocument, accountSchema } from './documents/accounts.ts';
import {
  type ConversationDocument,
  conversationSchema,
  type MessageDocument,
  messageSchema,
} from './documents/conversations.ts';
import { type InboxDocument, inboxSchema } from './documents/inboxes.ts';
import { type ListerDocument, listerSchema } from './documents/listers.ts';
import {
  type AuditDocument,
  auditSchema,
  type CaseDocument,
  caseSchema,
  type ReportDocument,
  reportSchema,
} from './documents/moderation.ts';
import {
  type BlockedPictureDocument,
  blockedPictureSchema,
  type PictureDocument,
  pictureSchema,
} from './documents/pictures.ts';
import { type ReviewDocument, reviewSchema } from './documents/reviews.ts';
import { type DocumentSchema, nullable } from './documents/schema.ts';
import {
  type ServiceDocument,
  serviceSchema,
  type VocabularyDocument,
  vocabularySchema,
} from './documents/services.ts';

export type Collections = ReturnType<typeof getCollections>;

export function getCollections(db: Db) {
  return {
    pictures: db.collection<PictureDocument>('pictures'),
    blockedPictures: db.collection<BlockedPictureDocument>('blockedPictures'),
    services: db.collection<ServiceDocument>('services'),
    reviews: db.collection<ReviewDocument>('reviews'),
    accounts: db.collection<AccountDocument>('accounts'),
    listers: db.collection<ListerDocument>('listers'),
    audit: db.collection<AuditDocument>('audit'),
    vocabulary: db.collection<VocabularyDocument>('vocabulary'),
    reports: db.collection<ReportDocument>('reports'),
    cases: db.collection<CaseDocument>('cases'),
    conversations: db.collection<ConversationDocument>('conversations'),
    messages: db.collection<MessageDocument>('messages'),
    inboxes: db.collection<InboxDocument>('inboxes'),
  };
}

/**
 * MongoDB validates every write with these schemas. `Collections` does not contain `limits`, because only the rate
 * limiter uses this collection.
 */
export const documentSchemas: Record<keyof Collections | 'limits', DocumentSchema> = {
  services: serviceSchema,
  reviews: reviewSchema,
  accounts: accountSchema,
  listers: listerSchema,
  audit: auditSchema,
  pictures: pictureSchema,
  blockedPictures: blockedPictureSchema,
  reports: reportSchema,
  cases: caseSchema,
  conversations: conversationSchema,
  messages: messageSchema,
  inboxes: inboxSchema,
  vocabulary: vocabularySchema,
  limits: {
    required: { key: { bsonType: 'string' }, points: { bsonType: 'number' }, expire: nullable('date') },
  },
};

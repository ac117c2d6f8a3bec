import type { Collection, Db } from 'mongodb';
import { type AccountDocument, accountSchema } from './documents/accounts.ts';
import {
  type AuditDocument,
  auditSchema,
  type CaseDocument,
  caseSchema,
  type ReportDocument,
  reportSchema,
} from './documents/moderation.ts';
import { type PictureDocument, pictureSchema } from './documents/pictures.ts';
import { type ReviewDocument, reviewSchema } from './documents/reviews.ts';
import { type DocumentSchema, nullable } from './documents/schema.ts';
import {
  type ServiceDocument,
  serviceSchema,
  type VocabularyDocument,
  vocabularySchema,
} from './documents/services.ts';

export interface Collections {
  pictures: Collection<PictureDocument>;
  services: Collection<ServiceDocument>;
  reviews: Collection<ReviewDocument>;
  accounts: Collection<AccountDocument>;
  audit: Collection<AuditDocument>;
  vocabulary: Collection<VocabularyDocument>;
  reports: Collection<ReportDocument>;
  cases: Collection<CaseDocument>;
}

export function getCollections(db: Db): Collections {
  return {
    pictures: db.collection('pictures'),
    services: db.collection('services'),
    reviews: db.collection('reviews'),
    accounts: db.collection('accounts'),
    audit: db.collection('audit'),
    vocabulary: db.collection('vocabulary'),
    reports: db.collection('reports'),
    cases: db.collection('cases'),
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
  audit: auditSchema,
  pictures: pictureSchema,
  reports: reportSchema,
  cases: caseSchema,
  vocabulary: vocabularySchema,
  limits: {
    required: { key: { bsonType: 'string' }, points: { bsonType: 'number' }, expire: nullable('date') },
  },
};

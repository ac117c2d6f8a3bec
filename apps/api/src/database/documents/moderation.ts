import { type CaseReport, limits, type ModerationAction, type ReportedPart } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { count, type DocumentSchema, date, nullable, text, texts, uid } from './schema.ts';

/** A report of a customer, or the request of an author for another look at a decision. */
export interface ReportDocument {
  /**
   * The id of the moderation case and the uid of the customer. If the author asks for another look, also the part and the
   * time of the decision.
   */
  _id: string;
  caseId: string;
  kind: 'review' | 'service' | 'message';
  /** The uid of the sender. */
  uid: string;
  serviceId: ObjectId;
  /** The title of the reported service, or of the service of the reported review or message. */
  title: string;
  about: ReportedPart;
  reason: CaseReport['reason'];
  text: string;
  createdAt: Date;
  /**
   * The version of the case that includes this report. The report is stored before its case is updated, so this field is null
   * until then.
   */
  version: number | null;
}

/** All reports of one review, service or message, and the actions of moderators. */
export interface CaseDocument {
  /** The kind and the id of the review, service or message, such as 'review-665f…'. */
  _id: string;
  status: 'open' | 'closed';
  statusSince: Date;
  /** The number of reports and actions so far. */
  version: number;
  history: {
    action: ModerationAction;
    part: ReportedPart;
    reason: string;
    at: Date;
    /** The uid and the name of the moderator who acted. */
    by: string;
    name: string;
    version: number;
    /**
     * The stored addresses of the pictures that are removed, or whose block is lifted. Absent for `dismiss`, and for other
     * parts.
     */
    pictures?: string[];
  }[];
  /**
   * The parts of the content whose newest action is recorded but not applied yet. A removal of pictures stays here
   * for a minute, so that the sweep repeats it. Absent if no part was ever hidden or restored.
   */
  pending?: ReportedPart[];
  /** The version of the case up to which the actions about pictures need not be repeated any more. */
  settledVersion?: number;
}

/** An entry of the audit log, about one operator command or one action of a moderator. */
export interface AuditDocument {
  _id: ObjectId;
  at: Date;
  action: string;
  /** The id of the service, review, message or picture, or the uid of the customer. For tombstones, their number. */
  target: string;
  /** The name of the operator, or the uid of the moderator. */
  by: string;
  reason: string;
  /**
   * The result of the operator command or of the moderator's action. Null until the command or the action has finished.
   */
  outcome: 'done' | 'already' | 'missing' | 'outdated' | null;
}

export const reportSchema: DocumentSchema = {
  required: {
    _id: { bsonType: 'string' },
    caseId: { bsonType: 'string' },
    kind: { enum: ['review', 'service', 'message'] },
    uid,
    serviceId: { bsonType: 'objectId' },
    title: text(limits.titleLength),
    about: { bsonType: 'string' },
    reason: { bsonType: 'string' },
    text: text(limits.reportTextLength),
    createdAt: date,
    version: nullable('number'),
  },
};

export const caseSchema: DocumentSchema = {
  required: {
    _id: { bsonType: 'string' },
    status: { enum: ['open', 'closed'] },
    statusSince: date,
    version: count,
    history: { bsonType: 'array', items: { bsonType: 'object' } },
  },
  optional: { pending: texts, settledVersion: count },
};

export const auditSchema: DocumentSchema = {
  required: {
    at: date,
    action: text(limits.auditActionLength),
    target: text(limits.uidLength),
    by: text(limits.uidLength),
    reason: text(limits.operatorReasonLength),
    outcome: nullable('string'),
  },
};

import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { id as idSchema, limits, parseJson } from '@rtr/shared';
import * as z from 'zod/mini';
import type { AccountStore, Tombstone } from '../accounts/accounts.store.ts';
import type { FirebaseAccounts } from '../auth/firebase-accounts.ts';
import type { AuditDocument } from '../database/documents/moderation.ts';
import type { PictureStore } from '../pictures/pictures.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { OwnedRow, ServiceModerationStore } from '../services/moderation.store.ts';
import type { AuditStore, Outcome } from './audit.store.ts';

interface OperatorCommandDependencies {
  services: Pick<ServiceModerationStore, 'setHidden' | 'listByOwner' | 'listByPicture'>;
  reviews: ReviewModerationStore;
  pictures: Pick<PictureStore, 'describe' | 'delete'>;
  accounts: Pick<AccountStore, 'listTombstones' | 'applyTombstones'>;
  customers: FirebaseAccounts;
  audit: AuditStore;
}

/** Thrown when an operator command has a mistake, such as a syntax error or an unknown id. The message says what is wrong. */
export class OperatorCommandError extends Error {}

const maxLogEntries = 1000;
const usage = `  operate hide service|review <id> --by <you> --reason <why>
  operate restore service|review <id> --by <you> --reason <why>
  operate disable customer <uid or email> --by <you> --reason <why>
  operate enable customer <uid or email> --by <you> --reason <why>
  operate add-moderator <uid or email> --by <you> --reason <why>
  operate remove-moderator <uid or email> --by <you> --reason <why>
  operate moderators
  operate list-of <uid or email>
  operate uses-of <address of an uploaded picture>
  operate delete picture <address> --by <you> --reason <why>
  operate hide-all-of <uid or email> --by <you> --reason <why>
  operate log [--last <1 to ${maxLogEntries}>]
  operate tombstones
  operate apply tombstones <file, or - for the standard input> --by <you> --reason <why>`;
const resultByVerb: Record<string, string> = {
  hide: 'hidden',
  restore: 'shown',
  disable: 'disabled',
  enable: 'enabled',
  delete: 'deleted',
};

const tombstoneSchema = z.strictObject({
  uid: z.string().check(z.minLength(1), z.maxLength(limits.uidLength)),
  deletedAt: z.iso.datetime(),
});

/** Runs one operator command and returns the lines to print. The audit log records each command that changes data. */
export async function runOperatorCommand(
  args: readonly string[],
  { services, reviews, pictures, accounts, customers, audit }: OperatorCommandDependencies,
): Promise<string[]> {
  const { by, reason, logEntryCount, words } = parseCommand(args);
  const [verb = '', noun = '', target = ''] = words;
  if (verb === 'log' && words.length === 1) return (await audit.findNewest(logEntryCount)).map(formatLogEntry);
  if (verb === 'tombstones' && words.length === 1)
    return (await accounts.listTombstones()).map((tombstone) => JSON.stringify(tombstone));
  if (verb === 'moderators' && words.length === 1)
    return (await customers.listModerators()).map(({ uid, email }) => `${uid}  ${email}`);
  if (verb === 'list-of' && words.length === 2) return (await listRowsOf(noun)).rows.map(formatOwnedRow);
  if (verb === 'uses-of' && words.length === 2) return listUsesOf(parsePictureId(noun));

  const hidden = () => ({ at: new Date(), reason: reason ?? '' });
  const actions: Record<string, (target: string) => Promise<Outcome>> = {
    'hide service': (id) => services.setHidden(id, hidden()),
    'restore service': (id) => services.setHidden(id, null),
    'hide review': (id) => reviews.setHidden(id, hidden()),
    'restore review': (id) => reviews.setHidden(id, null),
    'delete picture': (id) => pictures.delete(id),
    'disable customer': (uid) => customers.setDisabled(uid, true),
    'enable customer': (uid) => customers.setDisabled(uid, false),
  };
  const action = `${verb} ${noun}`;
  const runAction = actions[action];
  const isHideAll = verb === 'hide-all-of' && words.length === 2;
  const isModeratorChange = ['add-moderator', 'remove-moderator'].includes(verb) && words.length === 2;
  if (!isHideAll && !isModeratorChange && ((!runAction && action !== 'apply tombstones') || words.length !== 3))
    throw new OperatorCommandError(`There is no such command. The commands are:\n${usage}`);
  if (!by || !reason)
    throw new OperatorCommandError('Say who you are and why, for the audit log: --by <you> --reason <why>.');
  const operator = { by, reason };

  if (isHideAll) return [await hideAllOf(noun, operator)];
  if (isModeratorChange) return [await setModerator(noun, verb === 'add-moderator', operator)];
  if (!runAction) return [await applyTombstones(parseTombstones(await readInput(target)), operator)];

  const targetId = await parseTarget(noun, target);
  const outcome = await audit.record({ action, target: targetId, ...operator }, () => runAction(targetId));
  if (outcome === 'missing') throw new OperatorCommandError(`There is no ${noun} ${targetId}.`);
  return [`The ${noun} ${targetId} is ${outcome === 'done' ? 'now' : 'already'} ${resultByVerb[verb]}.`];

  async function parseTarget(noun: string, target: string): Promise<string> {
    if (noun === 'customer') return findUid(target);
    return noun === 'picture' ? parsePictureId(target) : parseId(target);
  }

  /** Lists an uploaded picture, and the services and reviews that contain it. */
  async function listUsesOf(id: string): Promise<string[]> {
    const picture = await pictures.describe(id);
    if (!picture) throw new OperatorCommandError(`There is no picture ${id}.`);
    const { uid, createdAt, usedAt, path } = picture;
    const [inServices, inReviews] = await Promise.all([services.listByPicture(path), reviews.listByPicture(path)]);
    return [
      `picture ${id}  ${createdAt.toISOString()}  ${usedAt ? 'used' : 'unused'}  uploaded by customer ${uid}`,
      ...inServices.map((row) => formatOwnedRow({ noun: 'service', ...row })),
      ...inReviews.map((row) => formatOwnedRow({ noun: 'review', ...row })),
    ];
  }

  async function findUid(uidOrEmail: string): Promise<string> {
    const uid = await customers.findUid(uidOrEmail);
    if (uid === undefined) throw new OperatorCommandError(`There is no customer ${uidOrEmail}.`);
    return uid;
  }

  async function listRowsOf(uidOrEmail: string) {
    const uid = uidOrEmail.includes('@') ? await findUid(uidOrEmail) : uidOrEmail;
    const ownServices = await services.listByOwner(uid);
    const ownReviews = await reviews.listByAuthor(uid);
    const rows = [
      ...ownServices.map((row) => ({ noun: 'service', ...row })),
      ...ownReviews.map((row) => ({ noun: 'review', ...row })),
    ];
    // An account that was deleted in the Firebase console may still have services and reviews. So a uid with services or
    // reviews is valid even if Firebase does not know it.
    if (rows.length === 0) await findUid(uid);
    return { uid, rows };
  }

  async function hideAllOf(uidOrEmail: string, operator: { by: string; reason: string }): Promise<string> {
    const { uid, rows } = await listRowsOf(uidOrEmail);
    const visible = rows.filter(({ isHidden }) => !isHidden);
    for (const { noun, id } of visible) {
      // Each hidden review or service has its own entry in the audit log, so that it can be restored separately.
      const { setHidden } = noun === 'service' ? services : reviews;
      await audit.record({ action: `hide ${noun}`, target: id, ...operator }, () => setHidden(id, hidden()));
    }
    return `Customer ${uid}: ${visible.length} are now hidden, ${rows.length - visible.length} were already.`;
  }

  async function setModerator(
    uidOrEmail: string,
    isModerator: boolean,
    operator: { by: string; reason: string },
  ): Promise<string> {
    const uid = await findUid(uidOrEmail);
    const outcome = await audit.record({ action: verb, target: uid, ...operator }, () =>
      customers.setModerator(uid, isModerator),
    );
    return `The customer ${uid} is ${outcome === 'done' ? 'now' : 'already'} ${isModerator ? 'a' : 'no'} moderator.`;
  }

  async function applyTombstones(tombstones: Tombstone[], operator: { by: string; reason: string }): Promise<string> {
    let missingCount = 0;
    await audit.record({ action, target: `${tombstones.length} customers`, ...operator }, async () => {
      missingCount = await accounts.applyTombstones(tombstones);
      return missingCount > 0 ? 'done' : 'already';
    });
    return `Of ${tombstones.length} tombstones ${missingCount} were missing. Every deletion is finished.`;
  }
}

function parseCommand(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { by: { type: 'string' }, reason: { type: 'string' }, last: { type: 'string', default: '20' } },
    });
    const [by, reason, logEntryCount] = [values.by?.trim(), values.reason?.trim(), Number(values.last)];
    const { operatorNameLength, operatorReasonLength } = limits;
    if ((by?.length ?? 0) > operatorNameLength || (reason?.length ?? 0) > operatorReasonLength)
      throw new Error(`--by takes up to ${operatorNameLength} characters, --reason up to ${operatorReasonLength}.`);
    if (!Number.isInteger(logEntryCount) || logEntryCount < 1 || logEntryCount > maxLogEntries)
      throw new Error(`--last takes a number from 1 to ${maxLogEntries}.`);
    return { by, reason, logEntryCount, words: positionals };
  } catch (error) {
    throw new OperatorCommandError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

async function readInput(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new OperatorCommandError(`The file cannot be read: ${message}`);
  }
}

/**
 * Parses the output of one or more `operate tombstones` commands. Throws an error if any line is invalid, so that no
 * tombstone is lost.
 */
function parseTombstones(lines: string): Tombstone[] {
  return lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data } = z.safeParse(tombstoneSchema, parseJson(line));
    if (!data)
      throw new OperatorCommandError(`Line ${index + 1} is no tombstone, nothing was done: ${line.slice(0, 80)}`);
    return [{ uid: data.uid, deletedAt: new Date(data.deletedAt) }];
  });
}

function parseId(text: string): string {
  const { data } = z.safeParse(idSchema, text);
  if (data === undefined) throw new OperatorCommandError(`'${text}' is not an id: an id has 24 hexadecimal digits.`);
  return data;
}

/** Parses the address, the path or the id of an uploaded picture. Returns the id. */
function parsePictureId(text: string): string {
  const [, id] = /^(?:.*\/pictures\/u\/)?([0-9a-f]{24})(?:\?.*)?$/.exec(text) ?? [];
  if (id === undefined) throw new OperatorCommandError(`'${text}' is not the address of an uploaded picture.`);
  return id;
}

function formatOwnedRow({ noun, id, title, createdAt, isHidden, isDeleted }: OwnedRow & { noun: string }): string {
  const state = isHidden ? 'hidden' : isDeleted ? 'deleted' : 'shown';
  return `${noun} ${id}  ${createdAt.toISOString()}  ${state}  ${title}`;
}

function formatLogEntry({ at, action, target, by, reason, outcome }: AuditDocument): string {
  return `${at.toISOString()}  ${action} ${target}  ${outcome ?? 'unfinished'}  by ${by}: ${reason}`;
}

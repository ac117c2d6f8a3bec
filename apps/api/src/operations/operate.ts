import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { id as idSchema } from '@rtr/shared';
import * as z from 'zod/mini';
import type { AccountStore, Tombstone } from '../accounts/accounts.store.ts';
import type { FirebaseAccounts } from '../auth/firebase-accounts.ts';
import type { AuditDocument } from '../database/documents.ts';
import { parseJson } from '../parse-json.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { OwnedRow, ServiceStore } from '../services/services.store.ts';
import type { AuditStore, Outcome } from './audit.store.ts';

interface Parts {
  services: Pick<ServiceStore, 'setHidden' | 'listByOwner'>;
  reviews: ReviewModerationStore;
  accounts: Pick<AccountStore, 'listTombstones' | 'applyTombstones'>;
  customers: FirebaseAccounts;
  audit: AuditStore;
}

/** A command that cannot be carried out as it was written: says what to write instead. */
export class OperateError extends Error {}

const usage = `  operate hide service|review <id> --by <you> --reason <why>
  operate restore service|review <id> --by <you> --reason <why>
  operate disable customer <uid or email> --by <you> --reason <why>
  operate enable customer <uid or email> --by <you> --reason <why>
  operate list-of <uid or email>
  operate hide-all-of <uid or email> --by <you> --reason <why>
  operate log [--last <1 to 1000>]
  operate tombstones
  operate apply tombstones <file, or - for the standard input> --by <you> --reason <why>`;
const results: Record<string, string> = {
  hide: 'hidden',
  restore: 'shown',
  disable: 'disabled',
  enable: 'enabled',
};

const tombstone = z.strictObject({
  uid: z.string().check(z.minLength(1), z.maxLength(128)),
  deletedAt: z.iso.datetime(),
});

/** Carries out one command of an operator, records who gave it and why, and answers the lines to print. */
export async function operate(
  args: readonly string[],
  { services, reviews, accounts, customers, audit }: Parts,
): Promise<string[]> {
  const { by, reason, last, words } = parse(args);
  const [verb = '', kind = '', named = ''] = words;
  if (verb === 'log' && words.length === 1) return (await audit.findNewest(last)).map(lineOf);
  if (verb === 'tombstones' && words.length === 1)
    return (await accounts.listTombstones()).map((kept) => JSON.stringify(kept));

  const allOf = async (uid: string) => ({
    service: await services.listByOwner(uid),
    review: await reviews.listByAuthor(uid),
  });
  if (verb === 'list-of' && words.length === 2) {
    const owned = await allOf(await uidOf(kind));
    return [
      ...owned.service.map((row) => ownedLineOf('service', row)),
      ...owned.review.map((row) => ownedLineOf('review', row)),
    ];
  }

  const actions: Record<string, (target: string) => Promise<Outcome>> = {
    'hide service': (id) => services.setHidden(id, true),
    'restore service': (id) => services.setHidden(id, false),
    'hide review': (id) => reviews.setHidden(id, true),
    'restore review': (id) => reviews.setHidden(id, false),
    'disable customer': (uid) => customers.setDisabled(uid, true),
    'enable customer': (uid) => customers.setDisabled(uid, false),
  };
  const action = `${verb} ${kind}`;
  const act = actions[action];
  const hidesAll = verb === 'hide-all-of' && words.length === 2;
  if (!hidesAll && ((!act && action !== 'apply tombstones') || words.length !== 3))
    throw new OperateError(`There is no such command. There are:\n${usage}`);
  if (!by || !reason) throw new OperateError('Say who you are and why, both are kept: --by <you> --reason <why>.');

  if (hidesAll) {
    const uid = await uidOf(kind);
    const rows = Object.entries(await allOf(uid)).flatMap(([noun, owned]) => owned.map((row) => ({ noun, ...row })));
    const shown = rows.filter(({ isHidden }) => !isHidden);
    for (const { noun, id } of shown) {
      // Each row has its own entry in the log, by which it can be restored.
      const hide = noun === 'service' ? services.setHidden : reviews.setHidden;
      await audit.record({ action: `hide ${noun}`, target: id, by, reason }, () => hide(id, true));
    }
    return [`Customer ${uid}: ${shown.length} are now hidden, ${rows.length - shown.length} were already.`];
  }
  if (!act) {
    const tombstones = tombstonesIn(await contentOf(named));
    let missing = 0;
    await audit.record({ action, target: `${tombstones.length} customers`, by, reason }, async () => {
      missing = await accounts.applyTombstones(tombstones);
      return missing > 0 ? 'done' : 'already';
    });
    return [`Of ${tombstones.length} tombstones ${missing} were missing. Every deletion is finished.`];
  }
  const target = kind === 'customer' ? await customers.findUid(named) : idOf(named);
  if (target === undefined) throw new OperateError(`There is no ${kind} ${named}.`);
  const outcome = await audit.record({ action, target, by, reason }, () => act(target));
  if (outcome === 'missing') throw new OperateError(`There is no ${kind} ${target}.`);
  return [`The ${kind} ${target} is ${outcome === 'done' ? 'now' : 'already'} ${results[verb]}.`];

  async function uidOf(name: string): Promise<string> {
    const uid = await customers.findUid(name);
    if (uid === undefined) throw new OperateError(`There is no customer ${name}.`);
    return uid;
  }
}

function ownedLineOf(noun: string, { id, title, createdAt, isHidden }: OwnedRow): string {
  return `${noun} ${id}  ${createdAt.toISOString()}  ${isHidden ? 'hidden' : 'shown'}  ${title}`;
}

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { by: { type: 'string' }, reason: { type: 'string' }, last: { type: 'string', default: '20' } },
    });
    const [by, reason, last] = [values.by?.trim(), values.reason?.trim(), Number(values.last)];
    if ((by?.length ?? 0) > 80 || (reason?.length ?? 0) > 500)
      throw new Error('--by takes up to 80 characters, --reason up to 500.');
    if (!Number.isInteger(last) || last < 1 || last > 1000) throw new Error('--last takes a number from 1 to 1000.');
    return { by, reason, last, words: positionals };
  } catch (error) {
    throw new OperateError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch (error) {
    throw new OperateError(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What `operate tombstones` printed, once or several times. Every line must hold: none is left out in silence. */
function tombstonesIn(lines: string): Tombstone[] {
  return lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data } = z.safeParse(tombstone, parseJson(line));
    if (!data) throw new OperateError(`Line ${index + 1} is no tombstone, nothing was done: ${line.slice(0, 80)}`);
    return [{ uid: data.uid, deletedAt: new Date(data.deletedAt) }];
  });
}

function idOf(text: string): string {
  const { data } = z.safeParse(idSchema, text);
  if (data === undefined) throw new OperateError(`'${text}' is no id: one has 24 hexadecimal digits.`);
  return data;
}

function lineOf({ at, action, target, by, reason, outcome }: AuditDocument): string {
  return `${at.toISOString()}  ${action} ${target}  ${outcome ?? 'unfinished'}  by ${by}: ${reason}`;
}

import type { Case } from './case.ts';
import { conversationCases } from './conversations.ts';
import type { Customer } from './customers.ts';
import type { OpenApiDocument } from './document.ts';
import { inputCases } from './inputs.ts';
import { ownServiceCases } from './own-services.ts';
import { ownershipCases } from './ownership.ts';
import { publicCases } from './public.ts';
import { replyCases } from './replies.ts';
import { reportCases } from './reports.ts';
import { connect } from './server.ts';

export interface Result {
  group: string;
  name: string;
  seconds: number;
  outcome: 'passed' | 'failed' | 'skipped';
  reason?: string;
}

interface CheckOptions {
  /** The base URL of the API, without a slash at the end, such as 'https://kitchen.example/api'. */
  url: string;
  document: OpenApiDocument;
  /**
   * Two customers and a moderator, in this order. Without two customers, the test cases that need a token are skipped.
   * Without a moderator, the test cases for reports are skipped, because nobody could close the reports.
   */
  customers: Customer[];
  onResult?: (result: Result) => void;
}

const needsCustomers = 'The cases need two customers.';
const needsModerator = 'The cases need two customers, and a moderator who closes them.';

/**
 * Checks a server. Some test cases add services, reviews and messages in the names of the two customers. After the checks,
 * none of these reviews is public, because each is deleted or its service is withdrawn, and the conversation is closed. Only
 * the service of ownership.ts is still listed.
 */
export async function runChecks({ url, document, customers, onResult }: CheckOptions): Promise<Result[]> {
  const server = connect(url, document);
  const results: Result[] = [];
  const record = (result: Result) => {
    results.push(result);
    onResult?.(result);
  };
  const [one, other, moderator] = customers;
  const groups: Record<string, Case[] | string> = {
    public: publicCases(server),
    inputs: inputCases(server, document),
    ownership: one && other ? ownershipCases(server, one, other) : needsCustomers,
    'own services': one && other ? ownServiceCases(server, one, other) : needsCustomers,
    replies: one && other ? replyCases(server, one, other) : needsCustomers,
    conversations: one && other ? conversationCases(server, one, other) : needsCustomers,
    reports:
      one && other && moderator ? reportCases(server, { reporter: one, author: other, moderator }) : needsModerator,
  };
  for (const [group, cases] of Object.entries(groups)) {
    if (typeof cases === 'string') {
      record({ group, name: 'all cases', seconds: 0, outcome: 'skipped', reason: cases });
      continue;
    }
    for (const { name, run } of cases) {
      const startedAt = performance.now();
      const outcome = await run().then(
        () => ({ outcome: 'passed' as const }),
        (error: unknown) => ({ outcome: 'failed' as const, reason: reasonOf(error) }),
      );
      record({ group, name, seconds: (performance.now() - startedAt) / 1000, ...outcome });
    }
  }
  return results;
}

/** Counts the test cases with each outcome. */
export function countOutcomes(results: Result[]): Record<Result['outcome'], number> {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** Returns the message of an error, followed by the message of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

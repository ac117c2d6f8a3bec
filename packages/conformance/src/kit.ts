import type { Customer } from './customers.ts';
import type { OpenApiDocument } from './document.ts';
import { inputCases } from './inputs.ts';
import { ownershipCases } from './ownership.ts';
import { publicCases } from './public.ts';
import { connect, type Server } from './server.ts';

export interface Case {
  name: string;
  /** Rejects where the server deviates. Cases of a group run in order, and may build on those before them. */
  run(): Promise<void>;
}

export interface Result {
  group: string;
  name: string;
  seconds: number;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or was left out. */
  reason?: string;
}

export interface Kit {
  /** The API's address, without a slash at its end: 'https://kitchen.example/api'. */
  url: string;
  document: OpenApiDocument;
  /** Two, for what needs a token; without them those cases are left out. */
  customers: Customer[];
  onResult?: (result: Result) => void;
}

/**
 * Runs the contract against a server. What it writes: a service that stays, and reviews that it deletes, all of the
 * customers it was given.
 */
export async function conform({ url, document, customers, onResult }: Kit): Promise<Result[]> {
  const server: Server = connect(url, document);
  const results: Result[] = [];
  const note = (result: Result) => {
    results.push(result);
    onResult?.(result);
  };
  const [one, other] = customers;
  const groups: Record<string, Case[] | string> = {
    public: publicCases(server),
    inputs: inputCases(server, document),
    ownership: one && other ? ownershipCases(server, one, other) : 'No two customers were given to act as.',
  };
  for (const [group, cases] of Object.entries(groups)) {
    if (typeof cases === 'string') {
      note({ group, name: 'all of them', seconds: 0, outcome: 'skipped', reason: cases });
      continue;
    }
    for (const { name, run } of cases) {
      const from = performance.now();
      const outcome = await run().then(
        () => ({ outcome: 'passed' as const }),
        (error: unknown) => ({ outcome: 'failed' as const, reason: reasonOf(error) }),
      );
      note({ group, name, seconds: (performance.now() - from) / 1000, ...outcome });
    }
  }
  return results;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

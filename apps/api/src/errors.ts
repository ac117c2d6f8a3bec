import type { LimitName, Problem } from '@rtr/shared';

/**
 * An expected failure, thrown by stores and routes. `http/problem.ts` maps each class to an HTTP status. The message is
 * shown to people: it says what is wrong and what to do.
 */
abstract class DomainError extends Error {}

/** Values in the request are invalid. Each path starts with body, query, params or headers. */
export class InvalidInputError extends DomainError {
  readonly issues: Problem['errors'];

  constructor(message: string, issues?: Problem['errors']) {
    super(message);
    this.issues = issues;
  }
}

/** The request has no token, or an invalid one. */
export class UnauthenticatedError extends DomainError {
  readonly reason: 'missing' | 'invalid';

  constructor(message: string, reason: 'missing' | 'invalid') {
    super(message);
    this.reason = reason;
  }
}

/** The customer is known, but must not do this. */
export class ForbiddenError extends DomainError {}

export class NotFoundError extends DomainError {}

/** An idempotency key was used before, with other content. `location` is the path of the row from that request. */
export class IdempotencyConflictError extends DomainError {
  readonly location: string;
  readonly issues: NonNullable<Problem['errors']>;

  constructor(message: string, location: string, issues: NonNullable<Problem['errors']>) {
    super(message);
    this.location = location;
    this.issues = issues;
  }
}

export class LimitReachedError extends DomainError {
  readonly limit: LimitName;
  readonly retryAfterSeconds: number;

  constructor(message: string, limit: LimitName, retryAfterSeconds: number) {
    super(message);
    this.limit = limit;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** This instance or something that it depends on cannot serve the request now. A later retry may succeed. */
export class UnavailableError extends DomainError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

import type { LimitName, Problem } from '@rtr/shared';

/**
 * The base class of expected failures. Stores and routes throw them, and `http/problem.ts` maps each class to an HTTP
 * status. The message is for people: it says what is wrong and what to do.
 */
abstract class DomainError extends Error {}

/**
 * Thrown when values in the request are invalid. The path of each invalid value starts with body, query or headers.
 */
export class InvalidInputError extends DomainError {
  readonly issues: Problem['errors'];

  constructor(message: string, issues?: Problem['errors']) {
    super(message);
    this.issues = issues;
  }
}

export class UnauthenticatedError extends DomainError {
  readonly reason: 'missing' | 'invalid';

  constructor(message: string, reason: 'missing' | 'invalid') {
    super(message);
    this.reason = reason;
  }
}

/** Thrown when a signed-in customer is not allowed to do what the request asks for. */
export class ForbiddenError extends DomainError {}

export class NotFoundError extends DomainError {}

/** Messages of a `NotFoundError` that several files use. */
export const notFound = {
  path: (path: string) => `Nothing exists at ${path}. See /docs for all routes.`,
  service: 'No service has this id.',
  review: 'No review has this id.',
  conversation: 'You have no request with this id.',
  decision: 'Nothing that you have written is hidden or removed here.',
  lister: 'No lister has this id, or none of their services is listed.',
  unsubscribeKey:
    'No account has this key. Copy the complete link from the email, or switch emails off on your account page.',
  deletedReview: 'No review has this id. It may have been deleted.',
};

/** Thrown when a moderator has removed a picture that the customer uploads or uses. */
export class RemovedPictureError extends DomainError {
  readonly issues: Problem['errors'];

  constructor(message: string, issues?: Problem['errors']) {
    super(message);
    this.issues = issues;
  }
}

/** Thrown when the state of a row does not allow the change, for example if it is closed. */
export class ConflictError extends DomainError {}

/** Thrown when a picture has too many pixels. */
export class TooLargeError extends DomainError {}

/** Thrown when the content type of the body is wrong. */
export class UnsupportedMediaError extends DomainError {}

/** Thrown when the row was edited after the caller had read it. `current` is the current row. */
export class OutdatedVersionError extends DomainError {
  readonly current: NonNullable<Problem['current']>;

  constructor(message: string, current: NonNullable<Problem['current']>) {
    super(message);
    this.current = current;
  }
}

/**
 * Thrown when an earlier request with other content had the same idempotency key. `location` is the path of the row that the
 * earlier request inserted.
 */
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

/**
 * Thrown when this API instance, or a service that it needs, cannot handle the request now. The same request may succeed
 * later.
 */
export class UnavailableError extends DomainError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

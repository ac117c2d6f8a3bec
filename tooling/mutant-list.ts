/** A change that breaks the product on purpose. At least one test must fail with it. */
export interface Mutant {
  /** What the broken product does. */
  title: string;
  /** The path of the changed file. */
  file: string;
  /** The text that is replaced. It must occur exactly once in the file. */
  find: string;
  replace: string;
}

const api = (file: string) => `apps/api/src/${file}`;
const web = (file: string) => `apps/web/${file}`;
const never = 'if (Math.random() > 1)';

export const mutants: readonly Mutant[] = [
  // Authentication and authorization
  {
    title: 'every customer is a moderator',
    file: api('auth/authenticator.ts'),
    find: 'if (!(await identity.isModerator(caller.uid)))',
    replace: never,
  },
  {
    title: 'the token of a closed account is accepted',
    file: api('auth/authenticator.ts'),
    find: '    if (isClosed) throw new InvalidTokenError(accountClosed);\n',
    replace: '',
  },
  {
    title: 'the token of an ended session is accepted',
    file: api('auth/authenticator.ts'),
    find: '    if (sessionEnd) throw new InvalidTokenError(sessionEnd);\n',
    replace: '',
  },
  {
    title: 'an expired token is accepted for hours',
    file: api('auth/access-token.ts'),
    find: 'const expiryToleranceSeconds = 5;',
    replace: 'const expiryToleranceSeconds = 50_000;',
  },
  {
    title: 'a token of another type is accepted',
    file: api('auth/access-token.ts'),
    find: 'header?.typ === tokenType && header.kid !== undefined',
    replace: 'header?.kid !== undefined',
  },
  {
    title: 'a token that was issued in the future is accepted',
    file: api('auth/access-token.ts'),
    find: 'if (data.iat > nowSeconds() + maxClockSkewSeconds)',
    replace: never,
  },

  // Ownership
  {
    title: 'a customer can delete the review of another customer',
    file: api('reviews/edit-review.ts'),
    find: 'const ownFilter = { _id: new ObjectId(id), uid, ...notDeleted };\n      const { serviceId } =',
    replace: 'const ownFilter = { _id: new ObjectId(id), ...notDeleted };\n      const { serviceId } =',
  },
  {
    title: 'a customer can edit the service of another customer',
    file: api('services/service-writes.ts'),
    find: 'const ownFilter = { _id: new ObjectId(id), createdBy: uid, withdrawnAt: null };\n      for (',
    replace: 'const ownFilter = { _id: new ObjectId(id), createdBy: { $ne: null }, withdrawnAt: null };\n      for (',
  },
  {
    title: 'every customer can reply to a review',
    file: api('reviews/replies.store.ts'),
    find: 'if (!isLister)',
    replace: never,
  },
  {
    title: 'listers can reply to their own reviews',
    file: api('reviews/replies.store.ts'),
    find: 'if (review.uid === uid)',
    replace: never,
  },
  {
    title: 'a customer can delete the reply of another customer',
    file: api('reviews/replies.store.ts'),
    find: "const ownReply = { _id: new ObjectId(id), 'reply.uid': uid };",
    replace: "const ownReply = { _id: new ObjectId(id), 'reply.uid': { $exists: true } };",
  },
  {
    title: 'customers can mark their own reviews as useful',
    file: api('reviews/votes.store.ts'),
    find: 'if (review.uid === uid)',
    replace: never,
  },
  {
    title: 'a service can use the picture that another customer has uploaded',
    file: api('pictures/pictures.store.ts'),
    find: 'pictures.updateOne({ _id: id, uid },',
    replace: 'pictures.updateOne({ _id: id },',
  },
  {
    title: 'the review of the lister counts in the stars',
    file: api('reviews/insert-review.ts'),
    find: 'isByLister: createdBy === author.uid,',
    replace: 'isByLister: false,',
  },
  {
    title: 'an edit reveals that a hidden service of another customer exists',
    file: api('services/service-writes.ts'),
    find: 'if (other && !isHidden(other))',
    replace: 'if (other)',
  },

  // Limits
  {
    title: 'a customer can have one review of a service more than allowed',
    file: api('quotas.ts'),
    find: 'if (count < limits.liveReviewsPerService)',
    replace: 'if (count <= limits.liveReviewsPerService)',
  },
  {
    title: 'a failed write counts in a daily limit',
    file: api('quotas.ts'),
    find: '        await limiter?.reward(uid).catch(() => {});\n',
    replace: '',
  },
  {
    title: 'writes are not limited',
    file: api('http/rate-limits.ts'),
    find: '        await writes.consume(uid);',
    replace: '        await writes.get(uid);',
  },
  {
    title: 'a deleted review can be restored after any time',
    file: api('reviews/review-documents.ts'),
    find: '$gt: new Date(Date.now() - restoreWindowMs)',
    replace: '$gt: new Date(0)',
  },
  {
    title: 'a picture can be removed, and uploaded again',
    file: api('pictures/pictures.store.ts'),
    find: 'if (await blockedPictures.findOne({ contentHash },',
    replace: 'if (await blockedPictures.findOne({ contentHash: uid },',
  },

  // Repeated and concurrent requests
  {
    title: 'a second request with the same key and other content is accepted',
    file: api('database/idempotent-insert.ts'),
    find: 'if (existing.requestHash === requestHash)',
    replace: 'if (existing.requestHash !== undefined)',
  },
  {
    title: 'customers share their idempotency keys',
    file: api('database/idempotent-insert.ts'),
    find: 'sha256([uid, idempotencyKey, serviceId])',
    replace: 'sha256([idempotencyKey, serviceId])',
  },
  {
    title: 'an edit of an outdated version overwrites the review',
    file: api('reviews/edit-review.ts'),
    find: 'if (versions && !versions.includes(lastEdit))',
    replace: never,
  },
  {
    title: 'one of two concurrent edits of a review is lost',
    file: api('reviews/edit-review.ts'),
    find: 'const versionFilter = versions && { updatedAt: current.updatedAt };',
    replace: 'const versionFilter = {};',
  },
  {
    title: 'a second vote of a customer counts',
    file: api('reviews/votes.store.ts'),
    find: '{ $setUnion: [voters, voter] }',
    replace: '{ $concatArrays: [voters, voter] }',
  },
  {
    title: 'an older review count overwrites a newer one',
    file: api('reviews/summaries.store.ts'),
    find: 'updateOne: { filter: { _id, summaryVersion }, update }',
    replace: 'updateOne: { filter: { _id }, update }',
  },
  {
    title: 'a sweep deletes a picture that is used meanwhile',
    file: api('pictures/pictures.store.ts'),
    find: 'const unchanged = { _id, createdAt, usedAt };',
    replace: 'const unchanged = { _id };',
  },
  {
    title: 'an account deletion ends before late writes have ended',
    file: api('accounts/accounts.store.ts'),
    find: '>= maxWriteDelayMs)',
    replace: '>= 0)',
  },
  {
    title: 'the votes of a deleted account remain',
    file: api('accounts/accounts.store.ts'),
    find: '    await votes.removeAllBy(uid);\n',
    replace: '',
  },

  // Moderation
  {
    title: 'moderators can decide about their own content',
    file: api('moderation/moderation.store.ts'),
    find: 'if (isOwn(uid, content))',
    replace: never,
  },
  {
    title: 'a moderator can hide content that they have not seen',
    file: api('moderation/moderation.store.ts'),
    find: 'if (version !== versionOf(current, content))',
    replace: never,
  },
  {
    title: 'two moderators can act at the same time',
    file: api('moderation/moderation.store.ts'),
    find: '{ _id, version: current.version },',
    replace: '{ _id },',
  },
  {
    title: 'customers can report their own content',
    file: api('moderation/reports.store.ts'),
    find: 'if (owner === uid)',
    replace: never,
  },
  {
    title: 'a lister can delete a hidden reply',
    file: api('reviews/replies.store.ts'),
    find: 'if (review.reply.hidden)',
    replace: never,
  },
  {
    title: 'everybody can read a hidden review',
    file: api('reviews/reviews.store.ts'),
    find: 'if (!document.hidden && isListed)',
    replace: 'if (isListed)',
  },
  {
    title: 'a hidden service becomes public when its lister lists it again',
    file: api('services/service-writes.ts'),
    find: 'hiddenAt: isStillHidden ? hiddenAt : null,',
    replace: 'hiddenAt: null,',
  },
  {
    title: 'a review can be added to a hidden service',
    file: api('reviews/insert-review.ts'),
    find: '{ $match: { _id: serviceId, hiddenAt: null } }',
    replace: '{ $match: { _id: serviceId } }',
  },

  // Searches and pages
  {
    title: 'a search also finds services without some of the words',
    file: api('services/search.store.ts'),
    find: 'row.matches.every(Boolean)',
    replace: 'row.matches.some(Boolean)',
  },
  {
    title: 'a search ignores in which field a word is',
    file: api('services/search-candidates.ts'),
    find: '10 * field + phrase.form',
    replace: 'phrase.form',
  },
  {
    title: 'a page whose rows are the last ones names a next page',
    file: api('database/pagination.ts'),
    find: 'if (found.length <= limit || !last)',
    replace: 'if (found.length < limit || !last)',
  },

  // The web app
  {
    title: 'a form returns to another site',
    file: web('src/lib/safe-path.ts'),
    find: " && !pathname.startsWith('//')",
    replace: '',
  },
  {
    title: 'the data of a page can contain a script',
    file: web('src/lib/script-json.ts'),
    find: String.raw`.replaceAll('<', String.raw${'`'}\u003c${'`'})`,
    replace: '',
  },
  {
    title: 'a rejected access token is not renewed',
    file: web('src/lib/http.ts'),
    find: '  if (response.status === 401) {\n    const fresh',
    replace: '  if (response.status === 403) {\n    const fresh',
  },
  {
    title: 'a double click sends twice',
    file: web('src/lib/use-single-flight.ts'),
    find: '    if (inFlight.current) return;\n',
    replace: '',
  },
  {
    title: 'drafts remain after the logout',
    file: web('src/features/auth/session.ts'),
    find: '      if (uid) removeDraftsOf(storage, uid);\n',
    replace: '',
  },
  {
    title: 'an action from before the hydration is repeated on another page',
    file: web('src/lib/early-actions.ts'),
    find: ' || location.href !== href',
    replace: '',
  },
  {
    title: 'search engines receive an average without stars',
    file: web('src/features/services/structured-data.ts'),
    find: '...(averageRating !== null && {',
    replace: '...(true && {',
  },
  {
    title: 'a page for one visitor is cached for all',
    file: web('server/pages.ts'),
    find: " && !isPersonal(headers.cookie ?? '')",
    replace: '',
  },
  {
    title: 'a page of an unknown service is not found in the cache',
    file: web('server/pages.ts'),
    find: 'if (page.status === 200 || page.status === 404)',
    replace: 'if (page.status === 200)',
  },
];

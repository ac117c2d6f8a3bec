import type { Collections } from '../database/collections.ts';
import { searchFieldsOf } from './search-terms.ts';
import { noWords } from './service-documents.ts';
import { createVocabularyStore } from './vocabulary.store.ts';

/**
 * Indexes the services that an earlier version of the API has stored without indexing them for the search. Returns the
 * number of these services. Idempotent.
 */
export async function indexForSearch(collections: Pick<Collections, 'services' | 'vocabulary'>): Promise<number> {
  const { services } = collections;
  const vocabulary = createVocabularyStore(collections);
  // Do not use the filter `{ titleWords: null }`. With this filter, MongoDB before version 8 also examines all services
  // with an empty list of words, such as all hidden services.
  const isMissing = { titleWords: { $exists: false } };
  const options = { limit: 100, projection: { title: 1, description: 1, hiddenAt: 1 } };
  for (let indexed = 0; ; ) {
    const batch = await services.find(isMissing, options).toArray();
    if (batch.length === 0) return indexed;
    const rows = batch.map(({ _id, title, description, hiddenAt }) => ({
      filter: { _id, title, description, hiddenAt, ...isMissing },
      fields: hiddenAt ? noWords : searchFieldsOf({ title, description }),
    }));
    await vocabulary.add([...new Set(rows.flatMap(({ fields }) => fields.words))]);
    const { modifiedCount } = await services.bulkWrite(
      rows.map(({ filter, fields }) => ({ updateOne: { filter, update: { $set: fields } } })),
      { ordered: false },
    );
    indexed += modifiedCount;
  }
}

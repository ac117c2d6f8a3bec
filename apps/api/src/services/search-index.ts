import type { Collections } from '../database/collections.ts';
import { searchFieldsOf } from './search-terms.ts';
import { noWords } from './service-documents.ts';
import { createVocabularyStore } from './vocabulary.store.ts';

/** Adds services of an earlier version of the API to the search index. Returns their number. Idempotent. */
export async function indexForSearch(collections: Pick<Collections, 'services' | 'vocabulary'>): Promise<number> {
  const { services } = collections;
  const vocabulary = createVocabularyStore(collections);
  // The filter `{ titleWords: null }` would be slow. With it, MongoDB before version 8 examines all services with an empty
  // list of words, and the lists of all hidden services are empty.
  const isMissing = { titleWords: { $exists: false } };
  const options = { limit: 100, projection: { title: 1, description: 1, hiddenAt: 1 } };
  for (let indexed = 0; ; ) {
    const batch = await services.find(isMissing, options).toArray();
    if (batch.length === 0) return indexed;
    const rows = batch.map(({ _id, title, description, hiddenAt = null }) => ({
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

import type { Service, ServiceInput } from '@rtr/shared';
import { type CommandStartedEvent, ObjectId } from 'mongodb';
import { assert, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { getCollections } from '../src/database/collections.ts';
import type { ServiceDocument } from '../src/database/documents/services.ts';
import { runSeed } from '../src/run-seed.ts';
import { createServiceSearch } from '../src/services/search.store.ts';
import { indexForSearch } from '../src/services/search-index.ts';
import type { SearchLimits } from '../src/services/search-steps.ts';
import { normalizeWords } from '../src/services/search-terms.ts';
import { createServiceStore } from '../src/services/services.store.ts';
import { synonyms } from '../src/services/synonyms.ts';
import { createVocabularyStore } from '../src/services/vocabulary.store.ts';
import { createStores } from '../src/stores.ts';
import { blankService } from './support/blank-service.ts';
import { randomFrom } from './support/random.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { nextPagePath } from './support/references.ts';
import { expectedSearches } from './support/searches.ts';
import { createTestApp } from './support/test-app.ts';

const { api, apiClient, config, db } = await createTestApp();
const collections = getCollections(db);
const { services, vocabulary } = collections;
const store = createServiceStore(collections);
const { serviceModeration } = createStores(collections, config.webOrigins);
const hidden = { at: new Date(), reason: 'Spam' };

/** Adds services, oldest first, with one minute between their times. Returns their ids in the same order. */
async function add(...inputs: Partial<ServiceInput>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, index));
    ids.push(
      (await store.insert({ uid: 'somebody', name: 'Somebody' }, { ...blankService, ...input }, undefined, at))
        .insertedId,
    );
  }
  return ids;
}

const search = async (q: string, more = '') => {
  const { body, headers } = await api.get(`/services?q=${encodeURIComponent(q)}${more}`).expect(200);
  return { titles: (body as Service[]).map(({ title }) => title), searchedFor: headers['x-searched-for'], headers };
};
const suggest = async (q: string): Promise<string[]> =>
  (await api.get(`/services/suggestions?q=${encodeURIComponent(q)}`).expect(200)).body;

describe('a search of the demo catalogue', () => {
  beforeAll(async () => {
    const env = {
      MONGODB_URI: config.mongodbUri,
      MONGODB_DATABASE: config.mongodbDatabase,
      FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
    };
    await runSeed(loadConfig(env), { shouldReset: true });
  });

  it.each(expectedSearches)(
    'for “$q” lists the services $first before all others',
    async ({ q, first, searchedFor }) => {
      const { body, headers } = await api.get(`/services?q=${encodeURIComponent(q)}`).expect(200);
      const slugs = (body as Service[]).map(({ img }) => /([\w-]+)\.svg$/.exec(img)?.[1]);
      expect(slugs.slice(0, first.length)).toEqual(first);
      expect(headers['x-searched-for']).toBe(searchedFor);
    },
  );

  it.each([
    ['h', 5],
    ['hood re', 5],
    ['cold ro', 5],
    ['pizz', 1],
    ['instalation', 5],
    ['gutter', 0],
    ['', 0],
    ['…', 0],
  ])('suggests titles for %j, at most 5', async (q, count) => {
    const titles = await suggest(q);
    expect(titles).toHaveLength(count);
    for (const title of titles) expect((await search(title)).titles[0]).toBe(title);
  });
});

describe('a search', () => {
  beforeEach(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
  });

  it('lists matches in titles before those in descriptions, whole words before starts of words, and then newer services first', async () => {
    await add(
      { title: 'Old whole title: fan' },
      { title: 'New whole title: fan' },
      { title: 'Start in title: fantastic' },
      { title: 'Old description', description: 'With a fan' },
      { title: 'New description', description: 'With a fan' },
      { title: 'Start in description', description: 'Fantastic' },
      { title: 'Neither' },
    );
    const expected = [
      'New whole title: fan',
      'Old whole title: fan',
      'Start in title: fantastic',
      'New description',
      'Old description',
      'Start in description',
    ];
    expect((await search('fan')).titles).toEqual(expected);
    expect((await search('fan', '&sort=relevance')).titles).toEqual(expected);
    expect((await search('fan', '&sort=newest')).titles[0]).toBe('Start in description');
  });

  it('lists services with some of the words in the title before services with all words in the description', async () => {
    await add(
      { title: 'Both: fan motor' },
      { title: 'One: motor', description: 'fan' },
      { title: 'None', description: 'fan motor' },
    );
    expect((await search('fan motor')).titles).toEqual(['Both: fan motor', 'One: motor', 'None']);
  });

  it('lists titles with the typed word first, then titles with a synonym, then titles with a word that starts with the typed word', async () => {
    await add({ title: 'AC units' }, { title: 'Access panels' }, { title: 'Air conditioning' }, { title: 'Air' });
    expect((await search('ac')).titles).toEqual(['AC units', 'Air conditioning', 'Access panels']);
    expect((await search('air conditioning')).titles).toEqual(['Air conditioning', 'AC units']);
  });

  it('does not correct a word if a service contains it, if a word of a service starts with it, or if it contains a number', async () => {
    await add({ title: 'Hood' }, { title: 'Hod carriers' }, { title: 'Instant' }, { title: 'Model R1234' });
    expect(await search('hod')).toMatchObject({ titles: ['Hod carriers'], searchedFor: undefined });
    expect(await search('insta')).toMatchObject({ titles: ['Instant'], searchedFor: undefined });
    expect(await search('R1235')).toMatchObject({ titles: [], searchedFor: undefined });
  });

  it('corrects the search text only if each unknown word in it has a similar word', async () => {
    await add({ title: 'Hood' });
    expect(await search('hoood zebra')).toMatchObject({ titles: [], searchedFor: undefined });
  });

  it('corrects a word to the most frequent similar word, and prefers words of titles', async () => {
    await add({ title: 'Fan' }, { title: 'Fan' }, { title: 'Can' }, ...[1, 2, 3].map(() => ({ description: 'ban' })));
    expect(await search('xan')).toMatchObject({ titles: ['Fan', 'Fan'], searchedFor: 'fan' });
  });

  it('percent-encodes the header X-Searched-For, because headers cannot contain all characters', async () => {
    await add({ title: 'Вытяжка' });
    const { titles, searchedFor } = await search('вытжка');
    expect([titles, decodeURIComponent(searchedFor ?? '')]).toEqual([['Вытяжка'], 'вытяжка']);
    expect(searchedFor).toMatch(/^[\x20-\x7E]+$/);
  });

  it('uses the corrected word for all pages, even if a service with the mistyped word is added after the first page was read', async () => {
    await add({ title: 'Hood one' }, { title: 'Hood two' }, { title: 'Hood three' });
    const { headers } = await api.get('/services?q=hod&limit=1').expect(200);
    await add({ title: 'Hod' });
    const next = await api.get(nextPagePath('/services', headers) ?? '').expect(200);
    expect(next.body).toMatchObject([{ title: 'Hood two' }]);
    expect(next.headers['x-searched-for']).toBe('hood');
  });

  it('neither finds nor suggests hidden services, even if an earlier version of the API hides them', async () => {
    const [id = '', other = ''] = await add({ title: 'Hood' }, { title: 'Hood' });
    await serviceModeration.setHidden(id, hidden);
    // Hides the service as an earlier version of the API does: that version empties `words`, but leaves `titleWords`
    // unchanged, because it does not know this field.
    await services.updateOne({ _id: new ObjectId(other) }, { $set: { hiddenAt: new Date(), words: [] } });
    for (const q of ['hood', 'ho', 'hoood']) expect((await search(q)).titles).toEqual([]);
    expect(await suggest('hood')).toEqual([]);
    await serviceModeration.setHidden(id, null);
    expect((await search('hood')).titles).toEqual(['Hood']);
  });

  it('finds an edited service by the starts of its new words, and by similar words', async () => {
    const [id = ''] = await add({ title: 'Hood' });
    await store.edit(id, 'somebody', { title: 'Ventilator' });
    for (const q of ['ventil', 'ventillator']) expect((await search(q)).titles).toEqual(['Ventilator']);
    expect((await search('hood')).titles).toEqual([]);
  });

  it('finds services of an earlier version of the API after the sweep that fills the index of words', async () => {
    const [id = '', other = ''] = await add({ title: 'Hood', description: 'Grease' }, { title: 'Hood hidden' });
    await serviceModeration.setHidden(other, hidden);
    await Promise.all([vocabulary.deleteMany(), services.updateMany({}, { $unset: { titleWords: 1 } })]);
    expect(await indexForSearch(collections)).toBe(2);
    expect(await indexForSearch(collections)).toBe(0);
    for (const q of ['hood', 'ho', 'hod', 'grea']) expect((await search(q)).titles).toEqual(['Hood']);
    expect(await services.findOne({ _id: new ObjectId(id) })).toMatchObject({ words: ['hood', 'grease'] });
  });

  it('uses an index of words: the sweep that fills this index reads only services that are not in the index yet', async () => {
    const ids = await add({ title: 'Hood' }, { title: 'Duct' }, { title: '!' });
    await serviceModeration.setHidden(ids[1] ?? '', hidden);
    const commands: CommandStartedEvent['command'][] = [];
    const record = ({ command }: CommandStartedEvent) => commands.push(command);
    apiClient.on('commandStarted', record);
    await indexForSearch(getCollections(apiClient.db(db.databaseName)));
    apiClient.off('commandStarted', record);
    const [{ lsid: _, $db: __, ...command } = assert.fail()] = commands;
    const { executionStats } = await db.command({ explain: command, verbosity: 'executionStats' });
    expect(executionStats).toMatchObject({ totalDocsExamined: 0, nReturned: 0 });
    expect(JSON.stringify(executionStats)).not.toContain('COLLSCAN');
  });

  describe('its vocabulary', () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const words = async () => (await vocabulary.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

    it('loses the word of a hidden service a day after the word was last used, and contains it again when the service is restored', async () => {
      const [id = ''] = await add({ title: 'Hood' }, { title: 'Duct' });
      await serviceModeration.setHidden(id, hidden);
      await createVocabularyStore(collections).sweep(inHours(23));
      expect(await words()).toEqual(['duct', 'hood']);
      await createVocabularyStore(collections).sweep(inHours(25));
      expect(await words()).toEqual(['duct']);
      await serviceModeration.setHidden(id, null);
      expect(await suggest('hoo')).toEqual(['Hood']);
    });

    it('loses a word in the next sweep if an earlier version of the API added the word and no service uses it', async () => {
      await add({ title: 'Hood' });
      await vocabulary.insertOne({ _id: 'duct', deletions: [] });
      await vocabulary.updateMany({}, { $unset: { usedAt: 1 } });
      await createVocabularyStore(collections).sweep();
      expect(await words()).toEqual(['hood']);
    });

    it('keeps a word if a service with this word is about to be inserted', async () => {
      const { add: addWords, sweep } = createVocabularyStore(collections);
      await addWords(['hood'], inHours(-25));
      await addWords(['hood']);
      await sweep();
      expect(await words()).toEqual(['hood']);
    });
  });

  it('suggests each title once, and titles with the whole word first', async () => {
    await add(
      { title: 'Hood' },
      { title: 'Hood two' },
      { title: ' HOOD ' },
      { title: 'Hoods' },
      { description: 'hood' },
    );
    expect(await suggest('hood')).toEqual(['HOOD', 'Hood two', 'Hoods']);
  });

  it('suggests titles for the start of a synonym, but lists titles with the typed text first', async () => {
    await add({ title: 'Hood' }, { title: 'Exhaled air' }, { title: 'Gas safety' });
    expect(await suggest('exha')).toEqual(['Exhaled air', 'Hood']);
    expect(await suggest('exh')).toEqual(['Exhaled air', 'Hood']);
    expect(await suggest('ex')).toEqual(['Exhaled air']);
  });

  it('corrects only complete words: the title “Xhaust” is suggested for “exhaust”, but not for “exha”', async () => {
    await add({ title: 'Xhaust' });
    expect(await suggest('exha')).toEqual([]);
    expect(await suggest('exhaust')).toEqual(['Xhaust']);
  });

  it('makes caches revalidate suggestions before each use, because a service can be withdrawn', async () => {
    const { headers } = await api.get('/services/suggestions?q=hood').expect(200);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers.etag).toBeDefined();
  });

  it.each(['', '?q=a&q=b', '?q[$ne]=', '?q=a&limit=1', `?q=${'a'.repeat(201)}`])(
    'returns 400 for suggestions with the query string "%s"',
    async (query) => {
      await api.get(`/services/suggestions${query}`).expect(400);
    },
  );

  it('rejects a cursor that a client has invented or changed', async () => {
    await add({ title: 'Hood one' }, { title: 'Hood two' });
    const { headers } = await api.get('/services?q=hood&limit=1').expect(200);
    const next = new URL(nextPagePath('/services', headers) ?? '', 'http://api.example');
    const cursor = next.searchParams.get('after') ?? '';
    const [hash, searchedFor, step, boundaries, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    expect([searchedFor, step, boundaries]).toEqual([null, 0, []]);
    for (const values of [
      [hash],
      [hash, null, 0, []],
      [hash, null, 0, [], at],
      [hash, null, 0, at, id],
      [hash, null, 0, [], at, id, 1],
      [hash, null, 6, [], at, id],
      [hash, null, -1, [], at, id],
      [hash, null, '0', [], at, id],
      [hash, null, 0.5, [], at, id],
      [hash, 1, 0, [], at, id],
      [hash, { $ne: '' }, 0, [], at, id],
      [hash, null, 0, [], { $gt: 0 }, id],
      [hash, null, 0, [], at, 'x'],
      [hash, null, 1, [at], at, id],
      [hash, null, 1, [[at, id, 1]], at, id],
      [hash, null, 1, [[{ $gt: 0 }, id]], at, id],
      [hash, null, 1, Array.from({ length: 7 }, () => null), at, id],
      ['x', null, 0, [], at, id],
      [hash, '', 0, [], at, id],
      [hash, '.*', 5, [], at, id],
      [hash, '$ne', 3, [null, [at, id]], at, id],
      [hash, 'hood\n', 0, [], at, id],
      [hash, 'hood \ud800', 0, [], at, id],
      [hash, 'Hood', 0, [], at, id],
      [hash, 'hood '.repeat(100).trim(), 0, [], at, id],
    ]) {
      const after = Buffer.from(JSON.stringify(values)).toString('base64url');
      const { body } = await api.get(`/services?q=hood&limit=1&after=${after}`).expect(400);
      expect(body.errors).toEqual([{ path: 'query.after', message: 'is not a cursor of this list' }]);
    }
    for (const list of ['q=hoo', 'q=hood&sort=newest', 'limit=1', 'q=HOOD'])
      await api.get(`/services?${list}&after=${cursor}`).expect(400);
  });

  it('accepts 100 words of one letter, which fill a search text of 200 characters', async () => {
    await add({ title: Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x430 + index)).join(' ') });
    const q = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x430 + (index % 30))).join(' ');
    expect((await search(q)).titles).toHaveLength(1);
    expect((await search(`${q.slice(0, 190)} z`)).titles).toHaveLength(0);
  });
});

describe('a search for frequent words', () => {
  const [count, together] = [3000, 3];

  beforeAll(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
    await add({ title: 'Service', description: 'home away' });
    const [{ _id: _, ...row } = assert.fail()] = await services.find().toArray();
    const rows = Array.from({ length: count }, (_, index) => {
      const place = index % (count / together) === 500 ? ['home', 'away'] : [index % 2 ? 'home' : 'away'];
      return {
        ...row,
        createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 10)),
        words: ['service', ...place],
        description: place.join(' '),
      };
    });
    for (let done = 0; done < count; done += 500)
      await services.insertMany(rows.slice(done, done + 500) as ServiceDocument[]);
    await services.deleteOne({ description: 'home away', createdAt: new Date(Date.UTC(2026, 0, 1)) });
  }, 60_000);

  const examined: number[] = [];
  const started = ({ commandName, command, databaseName }: CommandStartedEvent) => {
    if (databaseName === db.databaseName && ['find', 'aggregate'].includes(commandName)) commands.push(command);
  };
  const commands: CommandStartedEvent['command'][] = [];

  it.each(['relevance', 'newest', 'title', 'price', 'rating'])(
    'with sort=%s finds the few services that contain all words, and each of its queries examines a limited number of services',
    async (sort) => {
      const expected = (await services.find({ words: { $all: ['home', 'away'] } }).toArray()).map(({ _id }) =>
        _id.toHexString(),
      );
      commands.length = 0;
      examined.length = 0;
      apiClient.on('commandStarted', started);
      const pages = await readAllPages<Service>(api, `/services?q=home+away&limit=20&sort=${sort}`);
      apiClient.off('commandStarted', started);
      const found = pages.flat().map(({ _id }) => _id);
      expect(found.toSorted()).toEqual(expected.toSorted());
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.length).toBeLessThan(10);
      for (const { lsid: _, $db: __, ...command } of commands) {
        const plan = await db.command({ explain: command, verbosity: 'executionStats' });
        examined.push((plan.stages?.[0]?.$cursor ?? plan).executionStats.totalDocsExamined);
      }
      expect(Math.max(...examined)).toBeLessThanOrEqual(2002);
    },
  );

  it('has a total number of results only if the search text is a single word or contains a rare word too', async () => {
    expect((await search('home away')).headers['x-total-count']).toBeUndefined();
    expect((await search('service')).headers['x-total-count']).toBe(String(await services.countDocuments()));
    await services.updateOne({}, { $set: { words: ['service', 'rare'] } });
    expect((await search('service rare')).headers['x-total-count']).toBe('1');
  });
});

describe.each([1, 2, 3])('with random rows (seed %i)', (seed) => {
  const words = ['fan', 'fans', 'fantastic', 'duct', 'ducts', 'ac', 'access', 'air', 'conditioning', 'x1'];
  const searches = ['fan', 'fa', 'f', 'fans', 'duct fan', 'du fa', 'ac', 'ac fan', 'air conditioning', 'x', 'a f'];
  const random = randomFrom(seed);
  const pickWords = (max: number) =>
    Array.from({ length: Math.floor(random() * (max + 1)) }, () => words[Math.floor(random() * words.length)]).join(
      ' ',
    );
  const addRandom = async (count: number) => {
    for (let added = 0; added < count; added += 1) {
      // With only four different times, many rows have the same time.
      const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 4));
      const input = { ...blankService, title: pickWords(3), description: pickWords(3) };
      await store.insert({ uid: 'somebody', name: 'Somebody' }, input, undefined, at);
    }
  };

  /**
   * A simple second implementation of the search, to compare with the real one. Returns the rank of a service, or
   * undefined if the search does not find the service.
   */
  function rankOf({ title, description }: ServiceDocument, q: string): number | undefined {
    const inTitle = title.split(' ');
    const anywhere = [...inTitle, ...description.split(' ')];
    const typedAndMeant: Record<string, string[]> = {
      ac: ['ac', 'air conditioning'],
      'air conditioning': ['air conditioning', 'ac'],
      fans: ['fans'],
    };
    const terms = q === 'air conditioning' ? [q] : q.split(' ');
    const has = (all: string[], phrase: string) => phrase.split(' ').every((word) => all.includes(word));
    const startsOf = (all: string[], phrase: string) =>
      phrase.split(' ').every((word) => all.some((other) => other !== '' && other.startsWith(word)));
    const typed = (all: string[]) => terms.map((term) => has(all, term) || (term === 'fans' && has(all, 'fan')));
    const whole = (all: string[]) =>
      terms.map(
        (term, index) => typed(all)[index] === true || (typedAndMeant[term] ?? []).some((phrase) => has(all, phrase)),
      );
    const start = (all: string[]) => terms.map((term, index) => whole(all)[index] === true || startsOf(all, term));
    const every = (matches: boolean[]) => matches.every(Boolean);
    if (!every(start(anywhere))) return undefined;
    if (every(typed(inTitle))) return 0;
    if (every(whole(inTitle))) return 1;
    if (every(start(inTitle))) return 2;
    if (start(inTitle).some(Boolean)) return 3;
    return every(whole(anywhere)) ? 4 : 5;
  }

  async function expectedIds(q: string): Promise<string[]> {
    const all = await services.find().sort({ createdAt: -1, _id: -1 }).toArray();
    return all
      .map((service) => ({ id: service._id.toHexString(), rank: rankOf(service, q) }))
      .filter(({ rank }) => rank !== undefined)
      .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
      .map(({ id }) => id);
  }

  beforeAll(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
    await addRandom(80);
  });

  async function readPages(q: string, limit: number, searchLimits: SearchLimits, betweenPages?: () => Promise<void>) {
    const limited = createServiceSearch(collections, createVocabularyStore(collections), searchLimits);
    const found: string[] = [];
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const page = await limited.findPage({ q, limit, after });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      found.push(...page.rows.map(({ _id }) => _id.toHexString()));
      after = page.nextCursor;
      isLast = after === undefined;
      await betweenPages?.();
    }
    return found;
  }

  it.each([
    [60, 1000],
    [3, 1000],
    [7, 1],
  ])(
    'pages with up to %i services contain each result exactly once, in the order of the reference implementation',
    async (limit, maxCompletions) => {
      for (const q of searches)
        expect(await readPages(q, limit, { maxCandidates: 1000, maxCompletions }), q).toEqual(await expectedIds(q));
    },
  );

  it.each([
    [3, 20, 1000],
    [5, 3, 1000],
    [4, 7, 1],
  ])(
    'pages with up to %i services contain each result exactly once, even if each step of the search examines only %i services',
    async (limit, maxCandidates, maxCompletions) => {
      for (const q of searches) {
        const found = await readPages(q, limit, { maxCandidates, maxCompletions });
        expect(found.toSorted(), q).toEqual((await expectedIds(q)).toSorted());
      }
    },
  );

  it('pages do not repeat or skip a row when other rows are inserted and deleted between two pages', async () => {
    const before = await expectedIds('fa');
    const idsToDelete = new Set(before.filter(() => random() < 0.2));
    const found = await readPages('fa', 4, { maxCandidates: 9, maxCompletions: 1000 }, async () => {
      await addRandom(1);
      const [next] = idsToDelete;
      if (next === undefined) return;
      idsToDelete.delete(next);
      await services.deleteOne({ _id: new ObjectId(next) });
    });
    expect(new Set(found).size).toBe(found.length);
    const remaining = new Set((await services.find().toArray()).map(({ _id }) => _id.toHexString()));
    expect(before.filter((id) => remaining.has(id) && !found.includes(id))).toEqual([]);
  });
});

describe('the list of synonyms', () => {
  const phrases = synonyms.flatMap(({ typed, meant }) => [...typed, ...meant]);

  it('contains only normalized words', () => {
    expect(phrases.map((phrase) => normalizeWords(phrase).join(' '))).toEqual(phrases);
  });

  it('has no duplicates among the phrases that customers type', () => {
    const typed = synonyms.flatMap((synonym) => synonym.typed);
    expect(typed.filter((phrase, index) => typed.indexOf(phrase) !== index)).toEqual([]);
  });
});

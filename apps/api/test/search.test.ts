import type { Service, ServiceInput, Suggestion } from '@rtr/shared';
import { type CommandStartedEvent, ObjectId } from 'mongodb';
import { assert, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { getCollections } from '../src/database/collections.ts';
import type { ServiceDocument } from '../src/database/documents/services.ts';
import { runSeed } from '../src/run-seed.ts';
import { synonyms } from '../src/services/synonyms.ts';
import { normalizeWords } from '../src/words.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { randomFrom } from './support/random.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { nextPagePath } from './support/references.ts';
import { expectedSearches } from './support/searches.ts';
import { createTestApp } from './support/test-app.ts';

const { api, apiClient, config, db, stores } = await createTestApp();
const collections = getCollections(db);
const { services, vocabulary } = collections;
const { services: store, serviceModeration } = stores;

/** Adds services, oldest first, with one minute between their times. Returns their ids in the same order. */
async function add(...inputs: Partial<ServiceInput>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, index));
    ids.push((await store.insert(someLister, { ...blankService, ...input }, undefined, at)).insertedId);
  }
  return ids;
}

const search = async (q: string, more = '') => {
  const { body, headers } = await api.get(`/services?q=${encodeURIComponent(q)}${more}`).expect(200);
  return {
    titles: (body as Service[]).map(({ title }) => title),
    searchedFor: headers['x-searched-for'],
    leftOut: headers['x-left-out'],
    unknown: headers['x-unknown-words'],
    headers,
  };
};
const suggest = async (q: string): Promise<Suggestion[]> =>
  (await api.get(`/services/suggestions?q=${encodeURIComponent(q)}`).expect(200)).body;

describe('a search of the demo catalogue', () => {
  beforeAll(async () => {
    const env = {
      MONGODB_URI: config.mongodbUri,
      MONGODB_DATABASE: config.mongodbDatabase,
      FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
    };
    // The option `shouldReset` would also delete the demo customers of the Auth emulator, which other test files use.
    await runSeed(loadConfig(env), { shouldReset: false });
    await add(
      {
        title: 'Dunstabzugshaube reparieren',
        description: 'Küchenabluft, Lüfter und Fettfilter. Größere Geräte auch.',
      },
      { title: 'রান্নাঘরের হুড মেরামত', description: 'ঢাকায় হুড পরিষ্কার ও ফ্যান বদল', area: 'ঢাকা' },
    );
  });

  it.each(expectedSearches)(
    'for “$q” lists the services $first before all others',
    async ({ q, first, searchedFor, leftOut }) => {
      const { body, headers } = await api.get(`/services?q=${encodeURIComponent(q)}`).expect(200);
      const found = (body as Service[]).map(({ img, title }) => /([\w-]+)\.svg$/.exec(img)?.[1] ?? title);
      expect(found.slice(0, first.length || Infinity)).toEqual(first);
      expect([headers['x-searched-for'], headers['x-left-out']]).toEqual([searchedFor, leftOut]);
    },
  );

  it.each([
    ['h', 6],
    ['hood re', 6],
    ['pizz', 2],
    ['instalation', 6],
    ['', 0],
    ['…', 0],
  ])('suggests services and searches for %j, at most 6', async (q, count) => {
    const suggestions = await suggest(q);
    expect(suggestions).toHaveLength(count);
    for (const { kind, text, serviceId } of suggestions) {
      if (kind === 'service') {
        const { body } = await api.get(`/services/${serviceId}`).expect(200);
        // oxlint-disable-next-line vitest/no-conditional-expect -- each kind of suggestion is checked in its own way
        expect(body.title).toBe(text);
      }
      if (kind === 'search')
        // oxlint-disable-next-line vitest/no-conditional-expect -- see above
        expect((await search(text)).titles).not.toEqual([]);
    }
  });
});

describe('a search', () => {
  beforeEach(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
  });

  it('lists matches in titles before those in areas and in descriptions, whole words before beginnings, and then newer services first', async () => {
    await add(
      { title: 'Old whole title: fan' },
      { title: 'New whole title: fan' },
      { title: 'Beginning in title: fantastic' },
      { title: 'Area', area: 'Fan street' },
      { title: 'Beginning in area', area: 'Fanshaw' },
      { title: 'Old description', description: 'With a fan' },
      { title: 'New description', description: 'With a fan' },
      { title: 'Beginning in description', description: 'Fantastic' },
      { title: 'Neither' },
    );
    const expected = [
      'New whole title: fan',
      'Old whole title: fan',
      'Beginning in title: fantastic',
      'Area',
      'Beginning in area',
      'New description',
      'Old description',
      'Beginning in description',
    ];
    expect((await search('fan')).titles).toEqual(expected);
    expect((await search('fan', '&sort=relevance')).titles).toEqual(expected);
    expect((await search('fan', '&sort=newest')).titles[0]).toBe('Beginning in description');
  });

  it('finds the beginning of a word in a title even if many other words begin with it', async () => {
    const words = Array.from({ length: 200 }, (_, index) => `qa${index}`);
    await vocabulary.insertMany(words.map((_id) => ({ _id, deletions: [] })));
    await add({ title: 'Hood, quiet' }, { title: 'Hood' });
    expect((await search('hood q')).titles).toEqual(['Hood, quiet']);
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

  it('completes only the last word', async () => {
    await add({ title: 'Hood', area: 'Harbour', description: 'Grease' });
    for (const q of ['h', 'ho', 'harb', 'hood gre', 'g', 'hood h']) expect((await search(q)).titles, q).toHaveLength(1);
    expect(await search('grea hood')).toMatchObject({ titles: ['Hood'], leftOut: 'grea', searchedFor: 'hood' });
  });

  it('finds singulars and plurals of each other in every position', async () => {
    await add({ title: 'Hood filters and boxes' }, { title: 'Hood filter' }, { title: 'Battery' });
    expect((await search('filter hood')).titles).toHaveLength(2);
    expect((await search('filters hood')).titles).toHaveLength(2);
    expect((await search('box hood')).titles).toHaveLength(1);
    expect((await search('batteries')).titles).toEqual(['Battery']);
  });

  it('does not correct a word that a service contains, a beginning, or a word with a number', async () => {
    await add({ title: 'Hood' }, { title: 'Hod carriers' }, { title: 'Instant' }, { title: 'Model R1234' });
    expect(await search('hod')).toMatchObject({ titles: ['Hod carriers'], searchedFor: undefined });
    expect(await search('insta')).toMatchObject({ titles: ['Instant'], searchedFor: undefined });
    expect(await search('R1235')).toMatchObject({ titles: [], searchedFor: undefined });
  });

  it.each([
    ['fsn', undefined],
    ['hod', 'hood'],
    ['hodo', 'hood'],
    ['hopt', undefined],
    ['ductwprk', 'ductwork'],
    ['ductprk', 'ductwork'],
    ['dcutprk', undefined],
  ])('corrects one wrong letter in a word of 4 letters, and two in a word of 8: “%s” to %j', async (q, searchedFor) => {
    await add({ title: 'Fan' }, { title: 'Hood' }, { title: 'Ductwork' });
    expect((await search(q)).searchedFor).toBe(searchedFor);
  });

  it('never uses a correction that finds nothing together with the other words', async () => {
    await add({ title: 'Hood', area: 'Old harbour' }, { title: 'Oven', description: 'Shut down and cooled' });
    expect(await search('old town')).toMatchObject({
      titles: ['Hood'],
      searchedFor: 'old',
      leftOut: 'town',
      unknown: 'town',
    });
  });

  it('prefers corrections to words of titles', async () => {
    await add({ title: 'Oven' }, ...[1, 2, 3].map(() => ({ description: 'open' })));
    expect(await search('oben')).toMatchObject({ titles: ['Oven'], searchedFor: 'oven' });
  });

  it('leaves out the words that no service has, and lists the services with all other words', async () => {
    await add({ title: 'Hood repair', area: 'Brooklyn' }, { title: 'Hood installation' }, { title: 'Duct repair' });
    expect(await search('hood repair queens')).toMatchObject({
      titles: ['Hood repair'],
      searchedFor: 'hood repair',
      leftOut: 'queens',
      unknown: 'queens',
    });
    expect(await search('hod repiar queens')).toMatchObject({
      titles: ['Hood repair'],
      searchedFor: 'hood repair',
      leftOut: 'queens',
    });
    expect(await search('hood duct repair')).toMatchObject({
      titles: ['Hood repair'],
      searchedFor: 'hood repair',
      leftOut: 'duct',
      unknown: undefined,
    });
    expect(await search('zebra queens')).toMatchObject({ titles: [], searchedFor: undefined, leftOut: undefined });
  });

  it('ignores words such as “my” and “near”, unless there are no other words', async () => {
    await add({ title: 'Hood' }, { title: 'The my' });
    expect(await search('fix my hood near me please')).toMatchObject({ titles: ['Hood'], leftOut: 'fix' });
    expect((await search('my')).titles).toEqual(['The my']);
  });

  it('percent-encodes the headers with words, because headers cannot contain all characters', async () => {
    await add({ title: 'Вытяжка' });
    const { titles, searchedFor, leftOut, unknown } = await search('вытжка жук');
    expect(titles).toEqual(['Вытяжка']);
    expect([searchedFor, leftOut, unknown].map((text) => decodeURIComponent(text ?? ''))).toEqual([
      'вытяжка',
      'жук',
      'жук',
    ]);
    expect(`${searchedFor}${leftOut}${unknown}`).toMatch(/^[\x20-\x7E]+$/);
  });

  it('searches for the same words on all pages, even if a service with the mistyped word is added after the first page was read', async () => {
    await add({ title: 'Hood one' }, { title: 'Hood two' }, { title: 'Hood three' });
    const { headers } = await api.get('/services?q=hod+queens&limit=1').expect(200);
    await add({ title: 'Hod queens' });
    const next = await api.get(nextPagePath('/services', headers) ?? '').expect(200);
    expect(next.body).toMatchObject([{ title: 'Hood two' }]);
    expect(next.headers['x-searched-for']).toBe('hood');
  });

  it('neither finds nor suggests hidden services, and finds them when they are restored', async () => {
    const [id = ''] = await add({ title: 'Hood' });
    await serviceModeration.setHidden(id, { at: new Date(), reason: 'Spam' });
    for (const q of ['hood', 'ho', 'hoood']) expect((await search(q)).titles).toEqual([]);
    expect(await suggest('hood')).toEqual([]);
    await serviceModeration.setHidden(id, null);
    expect((await search('hood')).titles).toEqual(['Hood']);
  });

  it('finds an edited service by its new words, their beginnings and similar words', async () => {
    const [id = ''] = await add({ title: 'Hood' });
    await store.edit(id, someLister.uid, { title: 'Ventilator', area: 'Harbour' });
    for (const q of ['ventil', 'ventillator', 'harb', 'habour'])
      expect((await search(q)).titles).toEqual(['Ventilator']);
    expect((await search('hood')).titles).toEqual([]);
  });

  it('suggests services that open directly, best first, a search for a title of several services, areas and the completed text', async () => {
    const [, id] = await add(
      { title: 'Hood', area: 'Hoodtown' },
      { title: 'Hood two', area: 'Queens' },
      { title: ' HOOD ' },
      { title: 'Hooded' },
    );
    expect(await suggest('hood')).toEqual([
      { kind: 'search', text: 'HOOD' },
      { kind: 'service', text: 'Hood two', serviceId: id },
      { kind: 'service', text: 'Hooded', serviceId: expect.any(String) },
      { kind: 'area', text: 'Hoodtown' },
    ]);
    expect(await suggest('hood tw')).toEqual([
      { kind: 'service', text: 'Hood two', serviceId: id },
      { kind: 'search', text: 'hood two' },
    ]);
    expect(await suggest('que')).toEqual([
      { kind: 'service', text: 'Hood two', serviceId: id },
      { kind: 'area', text: 'Queens' },
    ]);
    expect((await suggest('hoood')).at(-1)).toEqual({ kind: 'search', text: 'hood' });
  });

  it('finds the synonyms of a word from its fourth letter, after services with the typed letters', async () => {
    await add({ title: 'Hood' }, { title: 'Exhaled air' }, { title: 'Gas safety' });
    expect((await search('exha')).titles).toEqual(['Exhaled air', 'Hood']);
    expect((await search('exh')).titles).toEqual(['Exhaled air']);
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
    const [hash, searchedFor, score, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    expect([searchedFor, score]).toEqual([null, expect.any(Number)]);
    for (const values of [
      [hash],
      [hash, null, score],
      [hash, null, score, at],
      [hash, null, score, at, id, 1],
      [hash, null, '0', at, id],
      [hash, null, 0.5, at, id],
      [hash, 1, score, at, id],
      [hash, { $ne: '' }, score, at, id],
      [hash, null, score, { $gt: 0 }, id],
      [hash, null, score, at, 'x'],
      ['x', null, score, at, id],
      [hash, '', score, at, id],
      [hash, '.*', score, at, id],
      [hash, '$ne', score, at, id],
      [hash, 'hood\n', score, at, id],
      [hash, 'hood \ud800', score, at, id],
      [hash, 'Hood', score, at, id],
      [hash, 'hood '.repeat(100).trim(), score, at, id],
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
  });
});

describe('a search among more than 1,000 services', () => {
  const rowCount = 1200;

  beforeAll(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
    await add({ title: 'Home service', description: 'away' });
    const [{ _id: _, ...row } = assert.fail()] = await services.find().toArray();
    await services.deleteMany();
    const rows = Array.from({ length: rowCount }, (_, index) => ({
      ...row,
      createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 10)),
      titleWords: [...row.titleWords, ...(index % 2 === 0 ? ['half'] : [])],
      words: [
        'home',
        'service',
        ...(index % 2 === 0 ? ['half'] : []),
        ...(index % 3 === 0 ? ['away'] : []),
        ...(index === 7 ? ['rare'] : []),
      ],
    }));
    for (let done = 0; done < rowCount; done += 500)
      await services.insertMany(rows.slice(done, done + 500) as ServiceDocument[]);
  }, 60_000);

  it.each(['relevance', 'newest', 'title', 'price', 'rating'])(
    'with sort=%s has at most 1,000 results without a total, and each of its queries examines at most 1,000 services',
    async (sort) => {
      const commands: CommandStartedEvent['command'][] = [];
      const record = ({ commandName, command, databaseName }: CommandStartedEvent) => {
        if (databaseName === db.databaseName && ['find', 'aggregate'].includes(commandName)) commands.push(command);
      };
      apiClient.on('commandStarted', record);
      const { headers } = await api.get(`/services?q=home+service&limit=20&sort=${sort}`).expect(200);
      apiClient.off('commandStarted', record);
      expect(headers['x-total-count']).toBeUndefined();
      const found = (await readAllPages<Service>(api, `/services?q=home+service&limit=100&sort=${sort}`)).flat();
      expect(new Set(found.map(({ _id }) => _id)).size).toBe(1000);
      expect(found).toHaveLength(1000);
      for (const { lsid: _, $db: __, ...command } of commands) {
        const plan = await db.command({ explain: command, verbosity: 'executionStats' });
        const { executionStats } = plan.stages?.[0]?.$cursor ?? plan;
        expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(1000);
        expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
      }
    },
  );

  it('starts from the rarest word, and has a total if all services with this word were examined', async () => {
    expect((await search('service rare')).headers['x-total-count']).toBe('1');
    expect((await search('service half')).headers['x-total-count']).toBe('600');
  });
});

describe('with random rows', () => {
  const words = ['fan', 'fans', 'fantastic', 'duct', 'ducts', 'ac', 'access', 'air', 'conditioning', 'x1'];
  const searches = ['fan', 'fa', 'f', 'fans', 'duct fan', 'duct fa', 'ac', 'ac fan', 'air conditioning', 'x', 'air f'];
  const random = randomFrom(1);
  const pickWords = (max: number) =>
    Array.from({ length: Math.floor(random() * (max + 1)) }, () => words[Math.floor(random() * words.length)]).join(
      ' ',
    );
  const addRandom = async (count: number) => {
    for (let added = 0; added < count; added += 1) {
      // With only four different times, many rows have the same time.
      const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 4));
      const input = { ...blankService, title: pickWords(2), area: pickWords(1), description: pickWords(3) };
      await store.insert(someLister, input, undefined, at);
    }
  };

  /**
   * A simple second implementation of the search, to compare with the real one. Returns the score of a service, or 0 if the
   * search does not find the service.
   */
  function scoreOf({ title, area, description }: ServiceDocument, q: string): number {
    const alike: Record<string, string[]> = { fan: ['fans'], fans: ['fan'], duct: ['ducts'], ac: ['acs'] };
    const meant: Record<string, string[][]> = { ac: [['air', 'conditioning']], 'air conditioning': [['ac']] };
    const texts = [description, area, title].map((text) => text.split(' '));
    const best = (matches: (all: string[], phrase: string[]) => boolean, phrase: string[]) =>
      // The words of a phrase may be in different fields. Then the worst of these fields counts.
      1 + [0, 1, 2].findLastIndex((from) => matches(texts.slice(from).flat(), phrase));
    const has = (all: string[], phrase: string[]) => phrase.every((word) => all.includes(word));
    const starts = (all: string[], [word = '']: string[]) => all.some((other) => other.startsWith(word));
    const terms = q === 'air conditioning' ? [q] : q.split(' ');
    const scores = terms.map((term, index) => {
      const typed = [term, ...(alike[term] ?? [])].map((phrase) => [best(has, phrase.split(' ')), 4]);
      const synonyms = (meant[term] ?? []).map((phrase) => [best(has, phrase), 3]);
      const canStart = index === terms.length - 1 && !term.includes(' ');
      const inField = canStart ? best(starts, [term]) : 0;
      const beginning = inField > 0 ? [[inField, 2]] : [];
      return Math.max(
        0,
        ...[...typed, ...synonyms, ...beginning].map(([field = 0, form = 0]) => (field === 0 ? 0 : 10 * field + form)),
      );
    });
    return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
  }

  async function expectedIds(q: string): Promise<string[]> {
    const all = await services.find().sort({ createdAt: -1, _id: -1 }).toArray();
    return all
      .map((service) => ({ id: service._id.toHexString(), score: scoreOf(service, q) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  }

  beforeAll(async () => {
    await Promise.all([services.deleteMany(), vocabulary.deleteMany()]);
    await addRandom(80);
  });

  const readIds = async (q: string, limit: number, betweenPages?: () => Promise<void>) =>
    (await readAllPages<Service>(api, `/services?q=${encodeURIComponent(q)}&limit=${limit}`, betweenPages))
      .flat()
      .map(({ _id }) => _id);

  it.each([60, 10])(
    'pages with up to %i services contain each result exactly once, in the order of the reference implementation',
    async (limit) => {
      for (const q of searches) expect(await readIds(q, limit), q).toEqual(await expectedIds(q));
    },
  );

  it('pages do not repeat or skip a row when other rows are inserted and deleted between two pages', async () => {
    const before = await expectedIds('fa');
    const idsToDelete = new Set(before.filter(() => random() < 0.2));
    const found = await readIds('fa', 4, async () => {
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

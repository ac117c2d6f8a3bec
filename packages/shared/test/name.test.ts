import { describe, expect, it } from 'vitest';
import { cleanName, nameProblem, presentableName } from '../src/index.ts';

describe('the name of a customer', () => {
  it.each([
    ['  Amira \t\n Haddad ', 'Amira Haddad'],
    ['Ann\u0000\u0007a\u0085', 'Anna'],
    ['\u202eAmira\u202c', 'Amira'],
    ['\u2066A\u200bm\u00adi\ufeffra\u2069', 'Amira'],
    ['A\u200dm\u200cira', 'Amira'],
    ['Ana 👩\u200d', 'Ana 👩'],
    ['👩\u200c🍳', '👩🍳'],
    ['Amira\ud800', 'Amira'],
    ['O’Neil-Šariḱ 3rd', 'O’Neil-Šariḱ 3rd'],
    ['عمر', 'عمر'],
  ])('invisible characters and extra spaces of %j are removed, and the result is %j', (typed, clean) => {
    expect(cleanName(typed)).toBe(clean);
  });

  it.each(['র\u200d্যাচেল', 'علی\u200cرضا', 'Ana 👩\u200d🍳', 'Ben 👨🏽\u200d🍳', 'Cy ❤️\u200d🔥'])(
    '%s keeps its zero-width joiner or non-joiner, which is part of the spelling or of an emoji',
    (name) => {
      expect(cleanName(name)).toBe(name);
    },
  );

  it.each(['', ' \u00a0', '\u202e\u200b', '\u3164', '\u2800', '\u115f\u1160', '\u0301', '\ufe0f', '\u200d'])(
    'is empty after cleaning if it has no visible character: %j',
    (name) => {
      expect(cleanName(name)).toBe('');
      expect(nameProblem(cleanName(name))).toBe('length');
    },
  );

  it('may have at most 80 characters', () => {
    expect(presentableName(`${'n'.repeat(80)}\u200b`)).toBe('n'.repeat(80));
    expect(nameProblem('n'.repeat(81))).toBe('length');
    expect(presentableName('n'.repeat(2000))).toBe('');
  });

  it.each([
    'RTR Cloud Kitchen',
    'rtrcloudkitchen',
    'R.T.R.  CLOUD–KITCHEN',
    'Team of RTR Cloud Kitchen',
    'RTR Cloud Kitchen ✓ Support',
    'R\u200bTR Cloud Kit\u200dchen',
    'ＲＴＲ Ｃｌｏｕｄ Ｋｉｔｃｈｅｎ',
    'ŔTR Clöud Kitchén',
    'RTR CIoud Kitchen',
    'RTR Cl0ud K1tchen',
    'RТR Сlоud Кitсhеn',
    'RΤR Clοud Κιtchεν',
  ])('%j is reserved, because it reads like the name of the product', (name) => {
    expect(nameProblem(cleanName(name))).toBe('reserved');
    expect(presentableName(name)).toBe('');
  });

  it.each(['Cloud Kitchen', 'RTR Kitchen', 'Rita Cloud', 'Кирилл Руднев', 'Νίκος'])('%j is allowed', (name) => {
    expect(presentableName(name)).toBe(name);
  });
});

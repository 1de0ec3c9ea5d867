import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

/** As long as the longest accepted text. */
const LENGTH = 60_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const wordsOf = async (text: string): Promise<string[] | null> =>
  (await database.owner.query<{ words: string[] | null }>('select search_words($1) as words', [text])).rows[0]?.words ??
  null

/** How long PostgreSQL takes to index the text as a post's, in milliseconds: the fastest of three. */
async function cost(text: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const { rows } = await database.owner.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
      `explain (analyze, format json) select search_keys(gen_random_uuid(), jsonb_build_array(jsonb_build_object('text', $1::text)), null) from generate_series(1, 1)`,
      [text],
    )
    times.push(rows[0]?.['QUERY PLAN'][0]['Execution Time'] ?? Infinity)
  }
  return Math.min(...times)
}

const filled = (pattern: string): string => pattern.repeat(Math.ceil(LENGTH / pattern.length)).slice(0, LENGTH)

describe('the words of a text', () => {
  it('are its letters, digits and marks in lower case, each once, whatever is between them', async () => {
    expect(await wordsOf('The rooks’ OLD_elms, the-well-known /path~to 3.14 me@rook.example <b>')).toEqual(
      'the rooks old elms well known path to 3 14 me rook example b'.split(' '),
    )
    expect(await wordsOf('Größenwahn ΑΣ e\u0301cole हिन्दी ไม่ 日本語 ١٢٣ naïve🐦bird')).toEqual([
      'grossenwahn',
      'ασ',
      'ecole',
      'हिन्दी',
      'ไม',
      'ม่',
      '่',
      '日本',
      '本語',
      '語',
      '123',
      'naive',
      'bird',
    ])
    expect(await wordsOf(' _ /~ %\\ \u200d 👍 ')).toBeNull()
  })

  it('are capped: 64 characters of a word, 8,000 words, 100,000 characters', async () => {
    expect(await wordsOf('é'.repeat(500))).toEqual(['e'.repeat(64)])
    const many = await wordsOf(Array.from({ length: 12_000 }, (_, i) => `w${i}`).join(' '))
    expect(many).toHaveLength(8_000)
    expect([many?.[0], many?.at(-1)]).toEqual(['w0', 'w7999'])
    expect(await wordsOf(`${' '.repeat(99_999)}abc`)).toEqual(['a'])
  })
})

describe('the keys of a post', () => {
  const PROJECT = '01920000-0000-7000-8000-00000012abcd'
  const keysOf = async (said: unknown, comment: string): Promise<string[]> =>
    (
      await database.owner.query<{ keys: string[] }>('select tsvector_to_array(search_keys($1, $2, $3)) as keys', [
        PROJECT,
        JSON.stringify(said),
        comment,
      ])
    ).rows[0]?.keys ?? []

  it.each([
    ['one text', [{ text: 'The rooks’ OLD elms, the old ELMS; 3.14 naïve 👍' }], '', 'The rooks’ OLD elms 3.14 naïve'],
    ['a first comment', [{ text: 'One' }], 'and Two', 'One and Two'],
    ['no words', [{ text: ' _ 👍 ' }], '', ''],
    ['no text at all', [], '', ''],
    ['a title', [{ title: 'Autumn', text: 'One' }], '', 'One Autumn'],
    ['alternative texts', [{ text: 'One', media: [{ altText: 'A rook' }] }], '', 'One A rook'],
    ['a thread', [{ text: 'One' }, { text: 'Two' }], 'three', 'One Two three'],
    ['what is called text and is none', [{ text: { text: 'inside' } }, { text: 7 }], '', 'inside'],
    ['a word that is too long', [{ text: `${'long'.repeat(30)} short` }], '', `${'long'.repeat(30)} short`],
    ['words without spaces between them', [{ text: 'One 日本語' }], '', 'One 日本語'],
    ['a draft', { text: 'One', thread: [{ text: 'Two' }], schedule: { type: 'DRAFT' } }, '', 'One Two'],
    [
      'more words than are kept',
      [{ text: Array.from({ length: 9000 }, (_, i) => `w${i}`).join(' ') }],
      '',
      Array.from({ length: 9000 }, (_, i) => `w${i}`).join(' '),
    ],
  ])('are the words of all its texts, each once, with the project before them: %s', async (_, said, comment, text) => {
    const words = (await wordsOf(text)) ?? []
    expect(await keysOf(said, comment)).toEqual(words.map((word) => `12abcd${word}`).toSorted())
  })
})

describe('indexing the longest text', () => {
  it.each([
    '_a',
    'a_',
    '_1',
    '/~',
    'a/',
    'a.',
    'a-',
    '1e',
    '-1',
    '+1.',
    '1.',
    'a@',
    'http://',
    '<a ',
    '&a',
    '%',
    '\\',
    "'",
    ' a',
    'a',
    'e\u0301',
    '\u0301',
    '\u0323\u0301',
    'a\u200d',
    '\u200d',
    '漢',
    '漢字、',
    'ß_',
    'İ',
    'ΑΣ',
    '👍',
    '👨‍👩‍👧',
    '́_',
  ])('takes about as long for %j as for an ordinary one', async (pattern) => {
    const ordinary = await cost(
      filled('The rooks came back to the elms in autumn, and nobody knew why they had gone. '),
    )
    // measured at 2; with PostgreSQL's own parser '_a' was at more than 1,000
    expect((await cost(filled(pattern))) / ordinary).toBeLessThan(50)
  })
})

import { describe, expect, it } from 'vitest'
import { emptyDoc, newItem, withVariant, type Doc } from './doc.ts'
import { withAiMark, withoutSuggestion, withText, withTextBack, type OwnText } from './textUndo.ts'

const written: Doc = {
  ...emptyDoc('UTC', new Date(0)),
  channelIds: ['a', 'b'],
  items: [newItem({ text: 'Long words' }), newItem({ text: 'The second' })],
}
const take = (before: Doc, at: string, text: string) => ({
  before,
  after: withAiMark(withText(before, at, 0, text), at, 'shorten'),
  kind: 'shorten' as const,
  place: 0,
  scopes: [at],
})
const texts = (doc: Doc, channelId?: string) =>
  (channelId === undefined ? doc.items : doc.variants[channelId]?.items)?.map(({ text }) => text)

describe('undoing an accepted suggestion', () => {
  it('restores the previous text, and removes the mark', () => {
    const taken = take(written, 'all', 'Short')
    expect(withoutSuggestion(taken.after, taken)).toEqual(written)
  })

  it('keeps everything that was done after it', () => {
    const taken = take(written, 'all', 'Short')
    const [first, second] = taken.after.items
    if (!first || !second) throw new Error('two items')
    const more = {
      ...taken.after,
      firstComment: 'Said since',
      items: [
        { ...first, media: ['picture'] },
        { ...second, text: 'Written since' },
      ],
    }
    const back = withoutSuggestion(more, taken)
    expect(texts(back)).toEqual(['Long words', 'Written since'])
    expect(back.items[0]?.media).toEqual(['picture'])
    expect([back.firstComment, back.aiHelp]).toEqual(['Said since', []])
  })

  it('leaves text that was changed since, and a removed item', () => {
    const taken = take(written, 'all', 'Short')
    const changed = withText(taken.after, 'all', 0, 'Short, and mine')
    expect(withoutSuggestion(changed, taken)).toBe(changed)
    const gone = { ...taken.after, items: taken.after.items.slice(1) }
    expect(withoutSuggestion(gone, taken)).toBe(gone)
  })

  it('lets a channel share the text again, unless something else of it became its own', () => {
    const taken = take(written, 'a', 'Short')
    expect(withoutSuggestion(taken.after, taken)).toEqual(written)
    const own = withText(taken.after, 'a', 1, 'Only here')
    expect(texts(withoutSuggestion(own, taken), 'a')).toEqual(['Long words', 'Only here'])
    // it returned to the shared text on its own
    expect(withoutSuggestion(written, taken)).toBe(written)
  })

  it('keeps a mark that was there before', () => {
    const taken = take(withAiMark(written, 'all', 'shorten'), 'all', 'Short')
    expect(withoutSuggestion(taken.after, taken).aiHelp).toEqual(['shorten'])
  })
})

describe('undoing copied text', () => {
  const own = [newItem({ text: 'Only here' })]
  const shared = { items: undefined, firstComment: undefined, aiHelp: undefined }
  const before = new Map<string, OwnText>([
    ['a', { items: own, firstComment: undefined, aiHelp: undefined }],
    ['b', shared],
  ])

  it('restores channels that still have the copied text, and no others', () => {
    expect(texts(withTextBack(written, before, shared), 'a')).toEqual(['Only here'])
    const since = withVariant(written, 'a', { items: [newItem({ text: 'Written since' })] })
    expect(withTextBack(since, before, shared)).toEqual(since)
    expect(withVariant(withTextBack(written, before, shared), 'a', { items: undefined })).toEqual(written)
  })
})

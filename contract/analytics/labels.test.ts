import { describe, expect, it } from 'vitest'
import { platformKeys, type PlatformKey } from '../platforms/rules.ts'
import { namesOf, platformFigures } from './catalog/catalog.ts'
import { baseText, cardTitle, figureName, figureText, figureTitle, partOfText, termOf } from './labels.ts'
import { derivedFigures, figureBases, FigureKey } from './names.ts'
import { figuresOfBase, figureSource } from './sources.ts'

/** Where a platform counts something else for the account than for its posts: without the shares in messages, or without reposts. */
const differ: Partial<Record<PlatformKey, readonly FigureKey[]>> = { instagram: ['shares'], threads: ['shares'] }

/** What people would take for the same name. */
const twice = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name.trim().toLowerCase()).values()].filter(({ length }) => length > 1)

describe('figures in words', () => {
  it('names every figure, and no two alike: neither of posts nor of channels', () => {
    expect(
      twice([
        ...[...derivedFigures, ...namesOf('post')].map((name) => figureTitle('post', name)),
        ...namesOf('channel').map((name) => figureTitle('channel', name)),
      ]),
    ).toEqual([])
    for (const name of FigureKey.options) expect(figureName(name)).not.toBe('')
  })

  it.each(platformKeys)('has one word of %s for each figure, and none for two', (platform) => {
    const { post, channel } = platformFigures[platform]
    const told = [
      ...post.map((one) => ({ ...one, subject: 'post' as const })),
      ...channel.map((one) => ({ ...one, subject: 'channel' as const })),
    ]
    const names = [...new Set(told.map(({ name }) => name))]
    for (const name of names) {
      const said = new Set(told.filter((one) => one.name === name).map(({ term }) => term))
      // what they count isn't the same, so they aren't called the same
      expect([name, said.size]).toEqual([name, differ[platform]?.includes(name) ? 2 : 1])
    }
    // engagements are worked out: no figure of the platform is called like them
    const words = names.flatMap((name) => [
      ...new Set(told.filter((one) => one.name === name).map(({ subject }) => termOf(platform, subject, name))),
    ])
    expect(twice([...words, ...derivedFigures.filter((one) => one !== 'viewsAndImpressions').map(figureName)])).toEqual(
      [],
    )
  })

  it.each(platformKeys)('calls a figure of %s the same on cards, in charts, in tables and in goals', (platform) => {
    for (const { name } of [...platformFigures[platform].post, ...platformFigures[platform].channel]) {
      if (differ[platform]?.includes(name)) continue
      const word = termOf(platform, 'post', name)
      expect([
        termOf(platform, 'channel', name),
        cardTitle('inTheseDays', name, platform),
        cardTitle('postsPublished', name, platform),
      ]).toEqual([word, word, `${word} of posts`])
    }
  })

  it.each([undefined, ...platformKeys])('calls no two cards of %s the same, in either base', (platform) => {
    const cards = figureBases.flatMap((base) => figuresOfBase[base].map((name) => ({ base, name })))
    const shown = cards.filter(
      ({ base, name }) => !platform || derivedFigures.some((one) => one === name) || figureSource(platform, base, name),
    )
    expect(twice(shown.map(({ base, name }) => cardTitle(base, name, platform)))).toEqual([])
  })

  it('says a card in the words of its platform', () => {
    expect(cardTitle('inTheseDays', 'viewsAndImpressions')).toBe('Views and impressions')
    expect(cardTitle('inTheseDays', 'viewsAndImpressions', 'instagram')).toBe('Views')
    expect(cardTitle('postsPublished', 'viewsAndImpressions', 'linkedin')).toBe('Impressions of posts')
    expect(cardTitle('inTheseDays', 'engagements', 'facebook')).toBe('Engagements')
    expect(cardTitle('inTheseDays', 'interactions', 'pinterest')).toBe("Engagements (Pinterest's count)")
    expect(cardTitle('postsPublished', 'published', 'x')).toBe('Published posts')
  })

  it('says what a column covers', () => {
    expect(baseText('inTheseDays', 'viewsAndImpressions')).toBe('in these days')
    expect(baseText('postsPublished', 'published')).toBe('in these days')
    expect(baseText('inTheseDays', 'followers')).toBe('at the end of these days')
    expect(baseText('postsPublished', 'reactions')).toBe('of posts published in these days')
  })

  it("has the platform's word, and ours for what is worked out", () => {
    expect(termOf('linkedin', 'channel', 'viewsAndImpressions')).toBe('Impressions')
    expect(termOf('youtube', 'channel', 'followers')).toBe('Subscribers (rounded)')
    expect(termOf('bluesky', 'post', 'reactions')).toBe('Likes')
    // of Pages, LinkedIn reports reposts only, of profiles sends as well: the word is true of both
    expect([termOf('linkedin', 'post', 'shares'), termOf('linkedin', 'channel', 'shares')]).toEqual([
      'Shares',
      'Shares',
    ])
    expect(termOf('x', 'post', 'engagements')).toBe('Engagements')
    expect(termOf('x', 'post', 'interactions')).toBe("Engagements (X's count)")
    expect(termOf('bluesky', 'post', 'published')).toBe('Published posts')
  })

  it('says which figure contains it, in the same words', () => {
    expect(partOfText('sends')).toBe('Part of Shares')
    expect([partOfText('sends', 'instagram'), partOfText('sends', 'instagram', 'post')]).toEqual([
      'Part of Shares',
      'Part of Shares and reposts',
    ])
    expect(partOfText('reposts', 'mastodon')).toBe('Part of Boosts and quotes')
    expect(partOfText('engagedViews', 'youtube')).toBe('Part of Views')
    // its whole isn't reported there
    expect([partOfText('shares'), partOfText('linkClicks', 'mastodon')]).toEqual([undefined, undefined])
  })

  it('shows each in its unit, and a gap as a dash', () => {
    expect(figureText('views', 1204)).toBe('1,204')
    expect(figureText('engagementRate', 4.567)).toBe('4.57%')
    expect(figureText('skipRate', 1250)).toBe('12.50%')
    expect(figureText('averageWatchMs', 90_400)).toBe('1 min 30 s')
    expect(figureText('watchSeconds', 3725)).toBe('1 h 2 min')
    expect(figureText('views', null)).toBe('–')
    expect(figureText('views', undefined)).toBe('–')
  })
})

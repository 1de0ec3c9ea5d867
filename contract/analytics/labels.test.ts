import { describe, expect, it } from 'vitest'
import { platformKeys } from '../platforms/rules.ts'
import { namesOf, platformFigures } from './catalog/catalog.ts'
import { baseText, cardTitle, figureName, figureText, figureTitle, termOf } from './labels.ts'
import { derivedFigures, figureBases, FigureKey } from './names.ts'
import { figuresOfBase, figureSource } from './sources.ts'

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

  it.each(platformKeys)('says no two figures of %s in the same words', (platform) => {
    const { post, channel } = platformFigures[platform]
    expect(
      twice([
        ...[...derivedFigures, ...post.map(({ name }) => name)].map((name) => termOf(platform, 'post', name)),
        ...channel.map(({ name }) => termOf(platform, 'channel', name)),
      ]),
    ).toEqual([])
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
    expect(cardTitle('inTheseDays', 'interactions', 'pinterest')).toBe('Engagements (interactions)')
    expect(cardTitle('postsPublished', 'published', 'x')).toBe('Published posts')
  })

  it('says what a column covers', () => {
    expect(baseText('inTheseDays', 'viewsAndImpressions')).toBe('in these days')
    expect(baseText('postsPublished', 'published')).toBe('in these days')
    expect(baseText('postsPublished', 'reactions')).toBe('of posts published in these days')
  })

  it("keeps the platform's word, and says of what it is where the platform uses it twice", () => {
    expect(termOf('linkedin', 'post', 'impressions')).toBe('Impressions of posts')
    expect(termOf('linkedin', 'channel', 'impressions')).toBe('Impressions of the page')
    expect(termOf('youtube', 'channel', 'followers')).toBe('Subscribers (rounded)')
    expect(termOf('instagram', 'post', 'sends')).toBe('Shares of posts (sends)')
    expect(termOf('x', 'post', 'engagements')).toBe('Engagements')
    expect(termOf('x', 'post', 'interactions')).toBe('Engagements (interactions)')
    expect(termOf('bluesky', 'post', 'published')).toBe('Published posts')
  })

  it('shows each in its unit, and a gap as a dash', () => {
    expect(figureText('views', 1204)).toBe('1,204')
    expect(figureText('engagementRate', 4.567)).toBe('4.57%')
    expect(figureText('skipRate', 1250)).toBe('12.50%')
    expect(figureText('averageWatchMs', 90_400)).toBe('01:30')
    expect(figureText('watchSeconds', 3725)).toBe('01:02:05')
    expect(figureText('views', null)).toBe('–')
    expect(figureText('views', undefined)).toBe('–')
  })
})

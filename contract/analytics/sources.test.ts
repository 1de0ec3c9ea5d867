import { describe, expect, it } from 'vitest'
import { platformKeys } from '../platforms/rules.ts'
import { platformFigure } from './catalog/catalog.ts'
import { definitionOf } from './catalog/names.ts'
import { figureBases } from './names.ts'
import { figuresOfBase, figureSource, hasNoSeries, rateSources } from './sources.ts'

const kindOf = (...args: Parameters<typeof figureSource>) => figureSource(...args)?.kind

describe('where a figure of these days comes from', () => {
  it('is the channel itself where its platform reports days, else what posts gained', () => {
    const views = Object.fromEntries(
      platformKeys.map((key) => [key, kindOf(key, 'inTheseDays', 'viewsAndImpressions')]),
    )
    expect(views).toEqual({
      facebook: 'series',
      instagram: 'series',
      linkedin: 'series',
      youtube: 'series',
      pinterest: 'series',
      googlemybusiness: 'series',
      x: 'gains',
      tiktok: 'gains',
      threads: 'gains',
      mastodon: undefined,
      bluesky: undefined,
    })
    expect(figureSource('instagram', 'inTheseDays', 'engagements')).toEqual({
      kind: 'series',
      names: ['reactions', 'comments', 'shares', 'saves'],
    })
    expect(figureSource('facebook', 'inTheseDays', 'engagements')).toEqual({ kind: 'series', names: ['interactions'] })
    expect(figureSource('facebook', 'inTheseDays', 'reactions')).toEqual({ kind: 'gains', names: ['reactions'] })
    expect(kindOf('bluesky', 'inTheseDays', 'engagements')).toBe('gains')
    expect(kindOf('googlemybusiness', 'inTheseDays', 'engagements')).toBe(undefined)
  })

  it('is what posts gained under a filter for posts, and for accounts without days of their own', () => {
    expect(kindOf('instagram', 'inTheseDays', 'reactions', { postsOnly: true })).toBe('gains')
    expect(kindOf('instagram', 'inTheseDays', 'followers', { postsOnly: true })).toBe(undefined)
    expect([
      hasNoSeries('linkedin', 'Profile'),
      hasNoSeries('linkedin', 'Organization'),
      hasNoSeries('linkedin', null),
    ]).toEqual([true, false, false])
  })

  it('is one of posts alone only if the whole channel has the same', () => {
    // profile visits from posts are a part of the profile's
    expect(kindOf('x', 'inTheseDays', 'profileViews')).toBe(undefined)
    expect(kindOf('x', 'postsPublished', 'profileViews')).toBe('posts')
  })

  it('of a rate is the same for both sides, or there is none', () => {
    const rates = platformKeys.filter((key) => rateSources(key) !== undefined)
    expect(rates).toEqual(['facebook', 'instagram', 'linkedin', 'x', 'youtube', 'pinterest', 'tiktok'])
    expect(rateSources('threads', { postsOnly: true })?.whole).toEqual({ kind: 'gains', names: ['views'] })
  })

  it('only holds what adds up and what the platform reports', () => {
    for (const platform of platformKeys)
      for (const base of figureBases)
        for (const name of figuresOfBase[base]) {
          const source = figureSource(platform, base, name)
          for (const part of source?.names ?? []) {
            expect(platformFigure(platform, source?.kind === 'series' ? 'channel' : 'post', part)).toBeDefined()
            expect(definitionOf(part).adds).not.toBe('none')
          }
        }
  })
})

import { describe, expect, it } from 'vitest'
import { platformKeys } from '../../platforms/rules.ts'
import { breaks, namesOf, platformFigure, platformFigures, summedPostFigures, termsOf } from './catalog.ts'
import { definitionOf, figureNames, windowFigures } from './names.ts'
import { printCatalog } from './print.ts'

describe('the catalog of figures', () => {
  it.each(platformKeys)('names each figure of %s once, with its term and source', (platform) => {
    for (const subject of ['post', 'channel'] as const) {
      const told = platformFigures[platform][subject]
      expect(new Set(told.map(({ name }) => name)).size).toBe(told.length)
      for (const { term, source, delayHours } of told) {
        expect(term.trim() && source.trim()).not.toBe('')
        expect(delayHours).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('defines no name that no platform reports', () => {
    expect([...new Set([...namesOf('post'), ...namesOf('channel')])].toSorted()).toEqual([...figureNames].toSorted())
  })

  it('has each part next to the whole that contains it, which adds up the same way', () => {
    for (const platform of platformKeys)
      for (const subject of ['post', 'channel'] as const)
        for (const { name } of platformFigures[platform][subject]) {
          const whole = figureNames.find((one) => one === definitionOf(name).partOf)
          if (whole === undefined) continue
          expect(platformFigure(platform, subject, whole), `${platform} ${subject} ${name}`).toBeDefined()
          expect(definitionOf(whole).adds).toBe(definitionOf(name).adds)
        }
  })

  it('never adds up unique people, averages and shares', () => {
    for (const name of ['reach', 'reach7', 'reach28', 'engagedAccounts', 'averageWatchMs', 'skipRate'] as const)
      expect(summedPostFigures).not.toContain(name)
  })

  it('has a figure over several days only beside that of a day, which is never added up either', () => {
    expect(windowFigures.map(({ name, days }) => [name, days])).toEqual([
      ['reach7', 7],
      ['reach28', 28],
    ])
    for (const { name, of } of windowFigures) {
      expect([definitionOf(name).adds, definitionOf(of).adds]).toEqual(['none', 'none'])
      for (const platform of platformKeys) {
        // it's read of the newest days only, and never of posts
        expect(platformFigure(platform, 'post', name)).toBeUndefined()
        const told = platformFigure(platform, 'channel', name)
        if (told)
          expect([told.historyDays, platformFigure(platform, 'channel', of)?.delayHours]).toEqual([0, told.delayHours])
      }
    }
  })

  it('marks breaks only in figures that the platform reports', () => {
    for (const { platform, subject, figure } of breaks) expect(platformFigure(platform, subject, figure)).toBeDefined()
  })

  it("follows a platform's terms until the operator has accepted further ones", () => {
    expect(termsOf('youtube', [])).toMatchObject({ mayBeSummed: false, keepDays: 30 })
    expect(termsOf('youtube', ['youtube'])).toEqual({ mayBeSummed: true, keepDays: null })
    expect(termsOf('facebook', [])).toEqual({ mayBeSummed: true, keepDays: null })
  })

  it('is printed in docs/figures.md', async () => {
    await expect(printCatalog()).toMatchFileSnapshot('../../../docs/figures.md')
  })
})

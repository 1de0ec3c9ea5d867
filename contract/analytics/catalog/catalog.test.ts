import { describe, expect, it } from 'vitest'
import { platformKeys } from '../../platforms/rules.ts'
import { breaks, namesOf, platformFigure, platformFigures, summedPostFigures, termsOf } from './catalog.ts'
import { definitionOf, figureNames } from './names.ts'
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
    for (const name of ['reach', 'engagedAccounts', 'averageWatchMs', 'skipRate'] as const)
      expect(summedPostFigures).not.toContain(name)
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

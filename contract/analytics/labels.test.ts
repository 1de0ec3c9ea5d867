import { describe, expect, it } from 'vitest'
import { namesOf } from './catalog/catalog.ts'
import { figureName, figureText, figureTitle } from './labels.ts'
import { FigureKey } from './names.ts'

describe('figures in words', () => {
  it('names every figure, and no two of one subject alike', () => {
    for (const subject of ['post', 'channel'] as const) {
      const titles = namesOf(subject).map((name) => figureTitle(subject, name))
      expect(new Set(titles).size).toBe(titles.length)
    }
    for (const name of FigureKey.options) expect(figureName(name)).not.toBe('')
  })

  it('shows each in its unit, and a gap as a dash', () => {
    expect(figureText('views', 1204)).toBe('1,204')
    expect(figureText('engagementRate', 4.567)).toBe('4.57%')
    expect(figureText('skipRate', 1250)).toBe('12.5%')
    expect(figureText('averageWatchMs', 90_400)).toBe('01:30')
    expect(figureText('watchSeconds', 3725)).toBe('01:02:05')
    expect(figureText('views', null)).toBe('–')
    expect(figureText('views', undefined)).toBe('–')
  })
})

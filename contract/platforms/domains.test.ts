import { expect, it } from 'vitest'
import { findSpans } from './blueskySpans.ts'
import { isKnownDomain } from './domains.ts'
import { countText } from './countText.ts'
import { topLevelDomains } from './topLevelDomains.ts'

it('knows every top-level domain in Latin letters, country codes and all others', () => {
  expect([...topLevelDomains.matchAll(/\d/g)].length).toBeGreaterThan(1200)
  const missed =
    'build boutique fitness consulting bar pizza clinic dental tools gift auction deals vet wedding brussels koeln'
  expect([...missed.split(' '), 'aaa', 'com', 'de', 'zw'].filter((end) => !isKnownDomain(`name.${end}`))).toEqual([])
  expect(['html', 'ts', 'exe', 'local', 'co1', ''].filter((end) => isKnownDomain(`name.${end}`))).toEqual([])
})

it('knows those of other scripts in their encoded form', () => {
  expect(isKnownDomain('name.xn--p1ai')).toBe(true)
  expect(isKnownDomain('name.XN--P1AI')).toBe(true)
  expect(isKnownDomain('name.xn--')).toBe(false)
})

it.each(['boutique', 'quebec', 'amsterdam', 'zuerich', 'xn--p1ai'])('counts mybrand.%s as a URL on X', (end) => {
  expect(countText(`mybrand.${end}`, 'weighted')).toBe(23)
})

it('links a bare name with any of these endings on Bluesky', () => {
  expect(findSpans('See mybrand.boutique/new today')).toEqual([
    { kind: 'link', start: 4, end: 24, value: 'https://mybrand.boutique/new' },
  ])
})

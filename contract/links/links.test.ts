import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { platformRules } from '../platforms/registry.ts'
import { platformKeys } from '../platforms/rules.ts'
import { linkTagNames } from './details.ts'
import { linkPlaces, withLinks } from './linkPlaces.ts'
import { sentLinks } from './apply.ts'
import { linkTarget, type LinkRules } from './sentLinks.ts'
import { SHORT_CODE_LENGTH, SHORT_CODE_SIGNS, shortAddress, someShortCode } from './shortCode.ts'
import { LinkTags, linkPlaceholders, sentTags } from './tags.ts'

const words = { platform: 'linkedin', channel: 'acme', campaign: 'Spring  Sale', date: '2026-11-30' }
const rules = (tags: LinkTags, more: Partial<LinkRules> = {}): LinkRules => ({
  tags: sentTags(tags, words),
  shorten: false,
  ownHosts: ['rookery.example'],
  ...more,
})
const tagged = (address: string, tags: LinkTags = { utm_source: '{platform}', utm_medium: 'social' }) =>
  linkTarget(address, rules(tags))

describe('tags', () => {
  it.each([
    [{ utm_source: '{platform}' }, 'utm_source=linkedin'],
    [{ utm_campaign: '{campaign}-{date}' }, 'utm_campaign=spring-sale-2026-11-30'],
    [{ utm_content: 'A & B', utm_source: 'x' }, 'utm_source=x&utm_content=A%20%26%20B'],
    [{ utm_term: "it's (new)!*~" }, 'utm_term=it%27s%20%28new%29%21%2A%7E'],
    [{ utm_term: 'acme.example.' }, 'utm_term=acme.example%2E'],
    [{ utm_term: '' }, ''],
  ])('%j becomes %j', (tags, sent) => {
    expect(
      sentTags(tags, words)
        .map(({ name, value }) => `${name}=${value}`)
        .join('&'),
    ).toBe(sent)
  })

  it('without a value are left out, as of a post in no campaign', () => {
    expect(sentTags({ utm_source: 'a', utm_campaign: '{campaign}' }, { ...words, campaign: '' })).toEqual([
      { name: 'utm_source', value: 'a' },
    ])
  })

  it.each([
    ['{Platform}', "{Platform} isn't a placeholder. Use {platform}, {channel}, {campaign} or {date}"],
    ['{', 'Use { and } only around a placeholder, such as {platform}'],
    ['a\nb', 'Leave out line breaks and other invisible characters'],
    ['a'.repeat(101), 'Use at most 100 characters'],
  ])('refuses %j', (text, message) => {
    expect(LinkTags.safeParse({ utm_source: text }).error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

describe('a tagged address', () => {
  it.each([
    ['https://acme.example', 'https://acme.example?utm_source=linkedin&utm_medium=social'],
    ['https://acme.example/a?b=c%20d', 'https://acme.example/a?b=c%20d&utm_source=linkedin&utm_medium=social'],
    ['https://acme.example/a?b&', 'https://acme.example/a?b&utm_source=linkedin&utm_medium=social'],
    ['https://acme.example/?', 'https://acme.example/?utm_source=linkedin&utm_medium=social'],
    ['HTTP://Acme.Example/Ä#top?x', 'HTTP://Acme.Example/Ä?utm_source=linkedin&utm_medium=social#top?x'],
    ['https://acme.example/?UTM_Source=mail', 'https://acme.example/?UTM_Source=mail&utm_medium=social'],
    ['https://acme.example/?utm%5Fsource=', 'https://acme.example/?utm%5Fsource=&utm_medium=social'],
    ['https://acme.example/?utm_medium=a&utm_source=b', 'https://acme.example/?utm_medium=a&utm_source=b'],
  ])('of %s is %s', (address, target) => expect(tagged(address)).toBe(target))

  it.each([
    'https://rookery.example/b/acme',
    'https://rookery.example./b/acme',
    'https://www.instagram.com/p/1',
    'https://x.com/acme/status/1',
    'https://user@acme.example/',
    'https://x.com:secret@acme.example/',
    'https://pinterest.co.uk/pin/1',
    'https://WWW.YouTube.com/watch?v=1',
    'https://m.facebook.com./acme',
    'mailto:a@acme.example',
    'https://',
    `https://acme.example/${'a'.repeat(1950)}`,
  ])('is never made of %s', (address) => expect(tagged(address)).toBeUndefined())

  it.each(['https://notx.com/', 'https://netflix.com/', 'https://myfacebook.com', 'https://rookery.example.com/'])(
    'is made of %s, which only looks like a platform or ourselves',
    (address) => expect(tagged(address)).toBeDefined(),
  )
})

const label = fc.stringMatching(/^[a-z0-9]{1,12}$/)
const address = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://'),
    label,
    fc.constantFrom('com', 'de', 'co.uk', 'example.org'),
    fc.constantFrom('', ':8080'),
    fc.constantFrom('', '/', '/a/b', '/wiki/Rook_(bird)', '/%C3%A9', '/ü', '/a.b,c', '/@name'),
    fc.constantFrom('', '?', '?a=1', '?b=%20&c', '?utm_source=own', '?x=ä&y=1'),
    fc.constantFrom('', '#', '#top', '#a=b?c'),
  )
  .map((parts) => parts.join(''))
const between = fc.oneof(
  fc.constantFrom(' ', '\n', '. ', ', ', ') ', '"', '。', 'です', '(', '(see ', '… ', '? ', '!', '#tag ', '@name '),
  fc.string({ maxLength: 8 }),
)
const text = fc.array(fc.oneof(address, between), { maxLength: 12 }).map((parts) => parts.join(''))
const tags = fc.record(
  Object.fromEntries(
    linkTagNames.map((name) => [
      name,
      fc.oneof(
        fc.constantFrom(...linkPlaceholders.map((one) => `{${one}}`)),
        fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => LinkTags.shape[name].safeParse(one).success),
      ),
    ]),
  ),
  { requiredKeys: [] },
)
const platform = fc.constantFrom(...platformKeys.map((key) => platformRules[key]))

describe('whatever a text contains', () => {
  it('only its links change, and each platform ends the new ones where they end', () => {
    fc.assert(
      fc.property(text, tags, platform, fc.boolean(), (written, chosen, finder, shorten) => {
        const made = rules(chosen, { shorten })
        const before = linkPlaces(written, finder).map(({ start, end }) => written.slice(start, end))
        const short = shortAddress('https://go.example', someShortCode)
        const targets = before.map((link) => linkTarget(link, made)).map((to) => (to && shorten ? short : to))
        const sent = sentLinks(made, finder, () => short).text(written)
        const rest = (of: string) => {
          let [whole, at] = ['', 0]
          for (const { start, end } of linkPlaces(of, finder)) {
            whole += `${of.slice(at, start)}\0`
            at = end
          }
          return whole + of.slice(at)
        }
        expect(rest(sent)).toBe(rest(written))
        const after = linkPlaces(sent, finder).map(({ start, end }) => sent.slice(start, end))
        expect(after).toHaveLength(before.length)
        // a link is what it was, or what it should be
        for (const [i, link] of after.entries()) expect([before[i], targets[i]]).toContain(link)
      }),
      { numRuns: 2000 },
    )
  })

  it('an address keeps every character, and only gets parameters that it did not have', () => {
    fc.assert(
      fc.property(address, tags, (link, chosen) => {
        const made = rules(chosen)
        const target = linkTarget(link, made) ?? link
        const hash = link.indexOf('#')
        const [head, tail] = hash === -1 ? [link, ''] : [link.slice(0, hash), link.slice(hash)]
        expect(target.startsWith(head) && target.endsWith(tail)).toBe(true)
        const [was, is] = [new URL(link), new URL(target)]
        const names = [...was.searchParams.keys()]
        for (const { name, value } of made.tags)
          expect(is.searchParams.get(name)).toBe(
            names.includes(name) ? was.searchParams.get(name) : decodeURIComponent(value),
          )
        // a second time, nothing is missing
        expect(linkTarget(target, made) ?? target).toBe(target)
      }),
      { numRuns: 2000 },
    )
  })

  it('a link that what follows would become part of stays as it is', () => {
    const finder = platformRules.x
    const made = rules({ utm_source: 'a' })
    const sent = (written: string) => withLinks(written, finder, (link) => linkTarget(link, made))
    expect(sent('https://a.example.org/b(c https://a.example.org/b')).toBe(
      'https://a.example.org/b(c https://a.example.org/b?utm_source=a',
    )
    expect(sent('https://a.example.org/b。')).toBe('https://a.example.org/b?utm_source=a。')
  })

  it('a hostile text takes no longer than its length explains', () => {
    let asked = 0
    const written = 'https://a.example.org/b '.repeat(1000)
    withLinks(written, platformRules.bluesky, () => void asked++)
    expect(asked).toBe(1000)
  })
})

it('has short codes without signs that look alike', () => {
  expect(SHORT_CODE_SIGNS).not.toMatch(/[lio01A-Z]/)
  expect(new Set(SHORT_CODE_SIGNS).size).toBe(SHORT_CODE_SIGNS.length)
  expect(someShortCode).toHaveLength(SHORT_CODE_LENGTH)
})

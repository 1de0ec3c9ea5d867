import { describe, expect, it } from 'vitest'
import { findersOf, onlyWords, wordsBut } from './fit.ts'

const suggested = (text: string, source = '') => wordsBut(text, findersOf(['bluesky']), source)

describe('markup', () => {
  it.each([
    ['**Open** late on *Friday*', 'Open late on Friday'],
    ['## New\n- Rye\n- Oat', 'New\n• Rye\n• Oat'],
    ['[Book]( ) now, [here](https://evil.example/x)', 'Book now, here'],
    ['> Quoted `code`', 'Quoted code'],
    ['<b>Bad</b> summary<br/>', 'Bad summary'],
    ['<a href="https://evil.example">Win</a> a prize', 'Win a prize'],
    ['```\nRye bread\n```', 'Rye bread'],
  ])('is taken out of %j', (text, words) => expect(suggested(text)).toBe(words))

  it.each(['#rye is back', '5 * 3 = 15 * 1', 'snake_case_name', 'I <3 rye', 'Rye - fresh', '1 < 2 > 0'])(
    "isn't found in %j",
    (text) => expect(suggested(text)).toBe(text),
  )

  it('stays if the person uses it', () => {
    expect(suggested('- Rye\n- Oat', 'Bread:\n- Rye, fresh\n- Oat')).toBe('- Rye\n- Oat')
  })
})

describe('the words before a removed link', () => {
  it.each([
    ['Go now at https://a.example or https://b.example, https://c.example, https://d.example', 'Go now'],
    ['Win at https://evil.example/x, ask @me.example #rooks', 'Win, ask #rooks'],
    ['Read more: https://evil.example', 'Read more'],
    ['Fresh rye (https://evil.example). Come by!', 'Fresh rye. Come by!'],
    ['Rye.\nhttps://evil.example\nOat.', 'Rye.\nOat.'],
    ['Write to eve@evil.example or call us', 'Write or call us'],
    ['https://evil.example', ''],
  ])('goes with it: %j', (text, words) => expect(suggested(text)).toBe(words))

  it("stay before the person's own links", () => {
    const source = 'Our menu is at https://example.org/menu'
    expect(suggested('Menu at https://example.org/menu, also at https://evil.example', source)).toBe(
      'Menu at https://example.org/menu',
    )
  })
})

it('are removed from a hostile answer in linear time', () => {
  for (const piece of ['**a ', ', ', '@', 'a.', '[', '<a', 'or ', '_a ', 'a', '- '])
    expect(suggested(`${piece.repeat(200_000)}https://evil.example`)).not.toContain('evil')
})

describe('a draft', () => {
  it.each([
    ['Visit evil.example today', 'Visit today'],
    ['Ask @attacker about it', 'Ask about it'],
    ['Log in at login.bank.internal:8080/x now', 'Log in now'],
    ['Mail me@host.invalid', 'Mail'],
  ])('names no address: %j', (text, words) => expect(onlyWords('mastodon', text)).toBe(words))

  it.each(['We love Node.js and report.pdf', 'From 9 a.m. to 5 p.m.', 'Version 2.10 is out...soon', 'e.g. rye'])(
    'keeps %j',
    (text) => expect(onlyWords('mastodon', text)).toBe(text),
  )
})

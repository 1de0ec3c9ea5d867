import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { textParts } from './textParts.ts'

const linksOf = (text: string) => textParts(text).flatMap(({ text: shown, href }) => (href ? [[shown, href]] : []))

it.each([
  [
    'See https://northlight.example.com/menu.',
    [['https://northlight.example.com/menu', 'https://northlight.example.com/menu']],
  ],
  ['(http://a.example.com/b_(c))', [['http://a.example.com/b_(c)', 'http://a.example.com/b_(c)']]],
  [
    'https://a.example.com/1 and https://b.example.com/2',
    [
      ['https://a.example.com/1', 'https://a.example.com/1'],
      ['https://b.example.com/2', 'https://b.example.com/2'],
    ],
  ],
  [
    '注文はhttps://shop.example.com/注文をご覧ください',
    [
      [
        'https://shop.example.com/注文をご覧ください',
        'https://shop.example.com/%E6%B3%A8%E6%96%87%E3%82%92%E3%81%94%E8%A6%A7%E3%81%8F%E3%81%A0%E3%81%95%E3%81%84',
      ],
    ],
  ],
  [
    'تفضل https://shop.example.com/قائمة',
    [['https://shop.example.com/قائمة', 'https://shop.example.com/%D9%82%D8%A7%D8%A6%D9%85%D8%A9']],
  ],
  ['javascript:alert(1) data:text/html,x ftp://a.example.com/x', []],
  ['https://bank.example@evil.example/login', []],
  ['Just words, and a@b.example', []],
  ['northlight.example', []],
  ['', []],
])('finds the links of %j', (text, links) => {
  expect(linksOf(text)).toEqual(links)
})

it('marks what was found, within links too', () => {
  expect(
    textParts('A plum: https://a.example.com/plum', [
      [2, 6],
      [30, 34],
    ]),
  ).toEqual([
    { text: 'A ' },
    { text: 'plum', marked: true },
    { text: ': ' },
    { text: 'https://a.example.com/', href: 'https://a.example.com/plum' },
    { text: 'plum', href: 'https://a.example.com/plum', marked: true },
  ])
})

it('loses nothing of any text', () => {
  const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl())
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.tuple(fc.nat(200), fc.nat(200))), (words, marks) => {
      const text = words.join(' ')
      expect(
        textParts(text, marks)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

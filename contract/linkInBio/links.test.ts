import { describe, expect, it } from 'vitest'
import { BioUrl, isCounted, isOwnRedirect, withScheme } from './links.ts'

const read = (text: string) => BioUrl.safeParse(text)

describe('a link of a page', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['  HTTP://Example.com/a b?q=ä#x  ', 'http://example.com/a%20b?q=%C3%A4#x'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['mailto:hello@example.com?subject=Hi', 'mailto:hello@example.com?subject=Hi'],
    ['tel:+49 30 123456', 'tel:+49 30 123456'],
  ])('can be %s', (text, stored) => {
    expect(read(text)).toEqual({ success: true, data: stored })
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'intent://scan/#Intent;end',
    'https://user:secret@example.com/',
    'https://example.com@evil.example/',
    'https://localhost/',
    'https://',
    'example.com',
    '//example.com',
    'mailto:',
    'mailto:nobody',
    'mailto:a@example.com,b@example.com',
    'tel:',
    'tel:<script>',
    `https://example.com/${'a'.repeat(2000)}`,
    // nine characters each once they're encoded
    `https://example.com/${'語'.repeat(300)}`,
    '',
  ])("can't be %j", (text) => {
    expect(read(text).success).toBe(false)
  })

  it('never leads on through us', () => {
    const origins = ['https://rookery.example', 'https://rk.example']
    const through = (link: string) => isOwnRedirect(link, origins)
    for (const link of [
      'https://rookery.example/s/abc',
      'https://ROOKERY.example:443/S/abc',
      'http://rookery.example/b/other/3',
      'https://rookery.example/%73/abc',
      'https://rookery.example//s/abc',
      'https://rookery.example./s/abc',
      'https://rk.example/s/abc',
      'https://rookery.example/api/home',
      'https://rookery.example/oauth/x/callback?next=1',
    ])
      expect(through(new URL(link).href), link).toBe(true)
    for (const link of ['https://rookery.example/pricing', 'https://example.com/s/abc', 'mailto:a@rookery.example'])
      expect(through(link), link).toBe(false)
  })

  it('is counted if it opens a page', () => {
    expect(['https://a.example/', 'http://a.example/', 'mailto:a@b.example', 'tel:+491'].map(isCounted)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('gets https:// if a person left it out', () => {
    const typed = [
      'example.com',
      'example.com:8080/a',
      ' www.example.com/a?b ',
      'mailto:a@b.example',
      'hello',
      'a@b.example',
    ]
    expect(typed.map(withScheme)).toEqual([
      'https://example.com',
      'https://example.com:8080/a',
      'https://www.example.com/a?b',
      'mailto:a@b.example',
      'hello',
      'a@b.example',
    ])
  })
})

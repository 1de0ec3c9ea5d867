import { describe, expect, it } from 'vitest'
import { renderBioPage, type BioView } from './render.ts'
import { bioThemeKeys } from './themes.ts'

const picture = { small: '/b/autumn/p/a', large: '/b/autumn/p/A' }
const view: BioView = {
  name: 'Autumn',
  about: 'Ceramics, fired twice.\nOpen on Saturdays.',
  theme: 'paper',
  picture,
  buttons: [{ label: 'Shop', href: '/b/autumn/1' }],
  posts: [
    { label: 'A blue bowl', href: '/b/autumn/2', picture },
    { label: 'How we mix glazes', href: 'mailto:hello@autumn.example', picture: null },
  ],
  noindex: false,
  share: { address: 'https://rookery.example/b/autumn', picture: 'https://rookery.example/b/autumn/card.png' },
  report: '/b/autumn/report',
}

it('has a language, a title, landmarks, headings and texts instead of pictures', () => {
  const html = renderBioPage(view)
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(html).toContain('<title>Autumn</title>')
  expect(html).toContain('<meta name="description" content="Ceramics, fired twice. Open on Saturdays.">')
  expect(html).toContain('<h1 dir="auto">Autumn</h1>')
  for (const tag of ['header', 'main', 'footer']) expect(html.match(new RegExp(`<${tag}[ >]`, 'g'))).toHaveLength(1)
  expect(html).toContain(
    '<a href="/b/autumn/2" rel="nofollow noopener ugc"><img src="/b/autumn/p/a" srcset="/b/autumn/p/A 2x" alt="A blue bowl" loading="lazy"></a>',
  )
  expect(html).toContain(
    '<a href="mailto:hello@autumn.example" rel="nofollow noopener ugc"><span>How we mix glazes</span>',
  )
  expect(html).toContain('<a href="/b/autumn/report" rel="nofollow">Report this page</a>')
})

it('has no script, no form, and no style but its own element', () => {
  const html = renderBioPage(view)
  expect(html).not.toMatch(/<script|<form|<iframe|<base|style="|@import|url\(|\son\w+=/)
  expect(html.match(/<style>/g)).toHaveLength(1)
})

it('tells other sites its address and picture, and asks search engines to leave it out only if its owner wants so', () => {
  const html = renderBioPage(view)
  expect(html).toContain('<link rel="canonical" href="https://rookery.example/b/autumn">')
  expect(html).toContain('<meta property="og:image" content="https://rookery.example/b/autumn/card.png">')
  expect(html).not.toContain('noindex')
  expect(renderBioPage({ ...view, noindex: true })).toContain('<meta name="robots" content="noindex">')
})

it('leads nowhere in a preview', () => {
  const nowhere = { label: 'Shop', href: null }
  const html = renderBioPage({
    ...view,
    buttons: [nowhere],
    posts: [{ ...nowhere, picture }],
    share: null,
    report: null,
  })
  expect(html).not.toMatch(/<a [^>]*href/)
  expect(html).not.toContain('og:')
  expect(html).toContain('<a rel="nofollow noopener ugc">Shop</a>')
})

it("shows the first letter of a name as it's read if there's no picture", () => {
  const face = (name: string) =>
    /aria-hidden="true">(.*)<\/div>/.exec(renderBioPage({ ...view, picture: null, name }))?.[1]
  expect(face('autumn')).toBe('A')
  expect(face('👩🏽‍🎨 Studio')).toBe('👩🏽‍🎨')
  expect(face('नमस्ते')).toBe('न')
  expect(face('<b>')).toBe('&lt;')
  expect(face(' ')).toBeUndefined()
})

describe('hostile input', () => {
  const texts = [
    '</title><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</style><style>*{display:none}',
    '&lt;script&gt; &amp; &#0;',
    '<!--',
    ']]><svg/onload=alert(1)>',
  ]
  it.each(texts)('stays text: %s', (text) => {
    const all = { small: text, large: text }
    const html = renderBioPage({
      ...view,
      name: text,
      about: text,
      picture: all,
      buttons: [{ label: text, href: `https://example.com/${text}` }],
      posts: [
        { label: text, href: `/b/autumn/${text}`, picture: all },
        { label: text, href: null, picture: null },
      ],
      share: { address: text, picture: text },
      report: `/${text}`,
    })
    const own = renderBioPage({ ...view, name: 'x', about: 'x' })
    // the same elements as with harmless texts, and none of their own
    const tags = (page: string) => page.replace(/"[^"]*"/g, '""').match(/<\/?[a-z!][^>]*>/gi)
    expect(tags(html)?.filter((tag) => /script|onerror|onload|onmouseover|svg|!--/i.test(tag))).toEqual([])
    expect(new Set(tags(html))).toEqual(new Set([...(tags(own) ?? []), '<a rel="">']))
    expect(html.match(/<style>/g)).toHaveLength(1)
  })
  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'vbscript:x',
    'blob:x',
    '',
  ])('leads nowhere: %s', (href) => {
    const html = renderBioPage({ ...view, buttons: [{ label: 'x', href }], posts: [], report: href })
    expect(html).not.toMatch(/<a [^>]*href/)
  })
})

it('is under 6 kB as it is with ten buttons, in every theme', () => {
  for (const theme of bioThemeKeys) {
    const buttons = Array.from({ length: 10 }, (_, at) => ({
      label: 'Our winter collection',
      href: `/b/autumn/${at + 1}`,
    }))
    expect(renderBioPage({ ...view, theme, buttons }).length).toBeLessThan(6000)
  }
})

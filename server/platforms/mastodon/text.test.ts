import { describe, expect, it } from 'vitest'
import { Credentials, People, Spoken } from './schemas.ts'
import { textOfHtml, withoutEmojiCodes } from './text.ts'

describe('a status reads as', () => {
  it.each<[what: string, html: string, text: string]>([
    ['paragraphs and breaks', '<p>a<br />b<br>c</p><p>d</p>', 'a\nb\nc\n\nd'],
    ['paragraphs with white space between them', '<p>a</p>\n  <p>b</p>\n', 'a\n\nb'],
    ['empty paragraphs and several breaks', '<p>a<br><br>b</p><p></p><p>c</p>', 'a\n\nb\n\nc'],
    ['blocks of other programs', '<div>a</div><div>b <b>c</b></div>d', 'a\nb c\nd'],
    ['headings', '<h1>a</h1>b<h2>c</h2><p>d</p>', 'a\n\nb\n\nc\n\nd'],
    ['a list', '<p>a</p><ul><li>b</li><li><p>c</p></li></ul><p>d</p>', 'a\n\n• b\n• c\n\nd'],
    ['a numbered list', '<ol><li>a</li>\n<li>b</li></ol>', '1. a\n2. b'],
    ['a numbered list that begins later', '<ol start="7"><li>a</li><li>b</li></ol>', '7. a\n8. b'],
    ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '• a\n  • b\n• c'],
    ['a quote', '<p>a</p><blockquote><p>b<br>c</p><p>d</p></blockquote><p>e</p>', 'a\n\n> b\n> c\n>\n> d\n\ne'],
    ['code as it was written', '<pre><code>if a:\n    b\n</code></pre><p>c</p>', 'if a:\n    b\n\n\nc'],
    ['rows of a table', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
    [
      'entities of every name',
      '<p>&amp;&#39;&#x27;&hellip;&eacute;&nbsp;&euro; &lt;b&gt; &nope;</p>',
      "&''…é\u00a0€ <b> &nope;",
    ],
    [
      'a link whose address is partly hidden, in full',
      '<a href="https://a.example/long/path"><span class="invisible">https://</span><span class="ellipsis">a.example/long</span><span class="invisible">/path</span></a>',
      'https://a.example/long/path',
    ],
    [
      'mentions and hashtags',
      '<span class="h-card"><a href="x">@<span>ana</span></a></span> <a href="y">#<span>rooks</span></a>',
      '@ana #rooks',
    ],
    [
      'custom emoji by their codes',
      '<p>hi :blobcat: <img class="emoji" alt=":rook:" src="x"></p>',
      'hi :blobcat: :rook:',
    ],
    [
      'nothing of what nobody sees',
      '<style>a</style><p class="quote-inline">RE: <a href="x">x</a></p><p>b</p><script>c</script>',
      'b',
    ],
    ['plain text', 'a < b & c', 'a < b & c'],
    ['text with an unclosed tag', '<p>a<b>b', 'ab'],
    ['line breaks inside a paragraph', '<p>a\nb</p>', 'a\nb'],
    ['nothing', '', ''],
  ])('%s', (_what, html, text) => expect(textOfHtml(html)).toBe(text))

  it('what was written, without marks that were added', () => {
    expect(textOfHtml('<ol><li>a</li></ol><blockquote>b</blockquote>', { marks: false })).toBe('a\n\nb')
  })

  it('text quickly, whatever it is', () => {
    for (const piece of [
      '<p>',
      '<b>',
      '<ul><li>',
      '<blockquote>a',
      '<ol><li>a',
      '<br>',
      '<',
      '</p>',
      '&',
      '<!--',
      '<a href="',
    ])
      expect(textOfHtml(piece.repeat(50_000)).length).toBeLessThan(3_000_000)
  })
})

it('names have no codes of emoji that are pictures there', () => {
  const emojis = [{ shortcode: 'verified' }, { shortcode: 'blob_cat' }]
  expect(withoutEmojiCodes('Ana :verified: Rook:blob_cat:', emojis)).toBe('Ana Rook')
  expect(withoutEmojiCodes('at 10:30:15', emojis)).toBe('at 10:30:15')
  expect(withoutEmojiCodes(':verified:', emojis)).toBe('')
  const ana = {
    id: '1',
    acct: 'ana',
    username: 'ana',
    display_name: 'Ana :verified:',
    emojis,
    avatar: 'https://a.example/a',
  }
  expect(Spoken.parse({ ...ana, account: ana, created_at: '2026-11-30T10:00:00Z', url: null }).account).toMatchObject({
    display_name: 'Ana',
  })
  expect(People.parse([ana, { ...ana, emojis: 'odd' }]).map((one) => one.display_name)).toEqual([
    'Ana',
    'Ana :verified:',
  ])
  expect(Credentials.parse(ana).display_name).toBe('Ana')
})

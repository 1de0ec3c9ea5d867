import { htmlParser } from '../htmlParser.ts'

/** Elements that stand in lines of their own, with how many line breaks are around them. */
const blocks: Partial<Record<string, number>> = {
  ...Object.fromEntries(
    ['p', 'blockquote', 'pre', 'ul', 'ol', 'dl', 'table', 'figure', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(
      (name) => [name, 2],
    ),
  ),
  ...Object.fromEntries(
    ['div', 'li', 'dt', 'dd', 'tr', 'caption', 'figcaption', 'section', 'article', 'details', 'summary'].map((name) => [
      name,
      1,
    ]),
  ),
}
/** Elements whose content nobody sees. */
const unseen = new Set(['script', 'style', 'template', 'head', 'title', 'rp'])
/** Servers put a link to what is quoted in front of a text for programs that show no quotes. */
const isUnseen = (name: string, { class: named = '' }: Record<string, string>): boolean =>
  unseen.has(name) || named.split(/\s+/).includes('quote-inline')

/** What is nested deeper looks like this. */
const DEEPEST = 8

/** Puts words together in lines. */
function linesOf({ marks }: { marks: boolean }) {
  let text = ''
  let breaks = 0
  let mark = ''
  let [quotes, before] = [0, 0]
  const prefix = (depth = quotes): string => (marks ? '> '.repeat(Math.min(depth, DEEPEST)) : '')
  const write = (words: string): void => {
    const lines = text === '' ? 0 : breaks
    breaks = 0
    if (text === '') text = prefix()
    else if (lines > 0) text += `\n${prefix(Math.min(before, quotes)).trimEnd()}`.repeat(lines - 1) + `\n${prefix()}`
    before = quotes
    text += mark + (quotes > 0 && marks ? words.replaceAll('\n', `\n${prefix()}`) : words)
    mark = ''
  }
  return {
    write,
    /** The next words follow after at least so many line breaks. */
    end: (most: number) => void (breaks = Math.max(breaks, mark === '' ? most : 0)),
    /** One line break more, as it was written. */
    add: () => void (breaks += 1),
    item: (sign: string) => void (mark = marks ? sign : ''),
    quote: (by: number) => void (quotes += by),
    atStart: () => text === '' || breaks > 0,
    read: () => text.trim(),
  }
}

const BULLET = '• '
const HIDDEN = ''
const isList = /^[uo]l$/

/**
 * A status's HTML as text. Links are complete, although parts of their addresses are hidden; paragraphs, breaks, lists and
 * quotes become lines. Custom emoji stay as their codes. Without `marks`, nothing is added that wasn't written: no bullets,
 * numbers or signs of quotes.
 */
export function textOfHtml(html: string, { marks = true }: { marks?: boolean } = {}): string {
  const lines = linesOf({ marks })
  /** The elements that the current place is in; of lists, the number of the next item, or null. */
  const around: string[] = []
  const lists: (number | null)[] = []
  let [hidden, preformatted] = [0, 0]
  const beginItem = (): void => {
    const number = lists.at(-1) ?? null
    if (number !== null) lists[lists.length - 1] = number + 1
    lines.item(
      '  '.repeat(Math.min(Math.max(lists.length, 1), DEEPEST) - 1) + (number === null ? BULLET : `${number}. `),
    )
  }
  const begin = (name: string, { start, alt }: Record<string, string>): void => {
    if (name === 'ul' || name === 'ol') lists.push(name === 'ul' ? null : Number.parseInt(start ?? '', 10) || 1)
    if (name === 'pre') preformatted += 1
    if (name === 'blockquote') lines.quote(1)
    if (name === 'li') beginItem()
    if (name === 'br') lines.add()
    // an emoji of other servers' programs
    if (name === 'img' && alt) lines.write(alt)
    if (name === 'td' && !lines.atStart()) lines.write('\t')
  }
  const finish = (name: string): void => {
    if (name === 'ul' || name === 'ol') lists.pop()
    if (name === 'pre') preformatted -= 1
    if (name === 'blockquote') lines.quote(-1)
  }
  const breaksOf = (name: string): number => (isList.test(name) && lists.length > 0 ? 1 : (blocks[name] ?? 0))
  const { parse, end } = htmlParser({
    onopentag(name, attributes) {
      const isHidden = hidden > 0 || isUnseen(name, attributes)
      around.push(isHidden ? HIDDEN : name)
      if (isHidden) hidden += 1
      else {
        lines.end(breaksOf(name))
        begin(name, attributes)
      }
    },
    ontext(words) {
      if (hidden > 0) return
      // between blocks, white space is how the HTML is laid out
      const text = preformatted > 0 || !lines.atStart() ? words : words.trimStart()
      if (text !== '') lines.write(text)
    },
    onclosetag(name) {
      if (around.pop() === HIDDEN) hidden -= 1
      else {
        finish(name)
        lines.end(breaksOf(name))
      }
    },
  })
  parse(html)
  end()
  return lines.read()
}

/** A name without the codes of its custom emoji, which are pictures there. */
export const withoutEmojiCodes = (name: string, emojis: readonly { shortcode: string }[]): string =>
  emojis
    .reduce((rest, { shortcode }) => rest.replaceAll(`:${shortcode}:`, ' '), name)
    .replace(/\s+/g, ' ')
    .trim()

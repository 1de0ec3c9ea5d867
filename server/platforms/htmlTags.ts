/** A start tag with its attributes as they are written, names in lower case. `text` is what a title holds. */
export type Tag = { name: string; attributes: ReadonlyMap<string, string>; text: string }

/** Whose content is no markup, or no markup of the page. */
const opaque = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title', 'textarea', 'iframe'])
const nameOf = /[a-z][^\s/>]*/iy

/**
 * The start tags of a page, in order. Reads every character once, as a browser's tokeniser does: what is left open
 * reaches to the end. No tree is built, since the head of a page needs none.
 */
export function* tagsOf(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = after(html, '-->', at + 4)
      continue
    }
    nameOf.lastIndex = at + 1
    const name = nameOf.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      at += 1
      continue
    }
    const { attributes, end } = readAttributes(html, at + 1 + name.length)
    at = end
    let text = ''
    if (opaque.has(name)) {
      const close = new RegExp(`</${name}[\\s/>]`, 'gi')
      close.lastIndex = end
      const until = close.exec(html)?.index ?? html.length
      text = name === 'title' ? html.slice(end, until) : ''
      at = until
    }
    yield { name, attributes, text }
  }
}

const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f'

/** The first index at or after `from` whose character ends a run; the page's end when none does. */
function skip(html: string, from: number, goesOn: (char: string) => boolean): number {
  let at = from
  while (at < html.length && goesOn(html.charAt(at))) at += 1
  return at
}

const after = (html: string, mark: string, from: number): number => {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function readAttributes(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    at = skip(html, at, (char) => isSpace(char) || char === '/' || char === '=')
    if (at >= html.length) return { attributes, end: at }
    if (html.charAt(at) === '>') return { attributes, end: at + 1 }
    const nameEnd = skip(html, at, (char) => !isSpace(char) && char !== '=' && char !== '>' && char !== '/')
    const name = html.slice(at, nameEnd).toLowerCase()
    at = skip(html, nameEnd, isSpace)
    let value = ''
    if (html.charAt(at) === '=') {
      at = skip(html, at + 1, isSpace)
      const quote = html.charAt(at)
      if (quote === '"' || quote === "'") {
        const close = after(html, quote, at + 1)
        value = html.slice(at + 1, close - 1)
        at = close
      } else {
        const close = skip(html, at, (char) => !isSpace(char) && char !== '>')
        value = html.slice(at, close)
        at = close
      }
    }
    if (!attributes.has(name)) attributes.set(name, value)
  }
}

import { Parser, type Handler } from 'htmlparser2'

/** Deeper HTML is made to slow us down: the parser's time for each element grows with how deep it is. */
const DEEPEST = 1_000
/** Little enough that not much can be opened in one. */
const SLICE = 16_384

/** Parses HTML as it comes, as far as its elements aren't nested absurdly. `end` tells of all that is still open. */
export function htmlParser(handler: Partial<Handler>): { parse: (html: string) => void; end: () => void } {
  let depth = 0
  const parser = new Parser({
    ...handler,
    onopentag(...opened) {
      depth += 1
      handler.onopentag?.(...opened)
    },
    onclosetag(...closed) {
      depth -= 1
      handler.onclosetag?.(...closed)
    },
  })
  const isTooDeep = () => depth >= DEEPEST
  return {
    parse: (html) => {
      for (let at = 0; at < html.length && !isTooDeep(); at += SLICE) parser.write(html.slice(at, at + SLICE))
    },
    end: () => parser.end(),
  }
}

/** Longer answers are cut, and only this many starts are tried: an answer must not cost us time. */
const LONGEST = 200_000
const MOST_TRIES = 200

/**
 * The JSON objects in an answer, in order: small models wrap theirs in fences, think aloud before it, or add text with
 * braces after it. Objects inside of one that was read aren't read again.
 */
export function jsonObjectsIn(text: string): unknown[] {
  const answer = text.slice(0, LONGEST).replaceAll(/<think(?:ing)?>[^]*?<\/think(?:ing)?>/giu, '')
  const found: unknown[] = []
  let tries = 0
  for (let from = answer.indexOf('{'); from >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = endOfObject(answer, from)
    const parsed = end === undefined ? undefined : parse(answer.slice(from, end))
    if (parsed !== undefined) found.push(parsed)
    from = answer.indexOf('{', parsed === undefined || end === undefined ? from + 1 : end)
  }
  return found
}

/** Where the braces that open at `from` close; undefined if they don't. Braces within strings don't count. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // not JSON: there may be an object further on
    return undefined
  }
}

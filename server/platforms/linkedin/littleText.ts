import { linkedin as rules } from '#contract/platforms/linkedin.ts'

/*
 * LinkedIn's "little" text format: special characters are escaped with a backslash, hashtags and mentions are templates
 * (learn.microsoft.com/linkedin, little text format). In our texts, a mention is the template itself, as the lookup
 * inserts it.
 */

const RESERVED = /[|{}@[\]()<>#\\*_~]/g
const MENTION = /@\[([^\]\n]{1,200})\]\((urn:li:(?:organization|person):[\w-]+)\)/g

const escaped = (text: string): string => text.replace(RESERVED, String.raw`\$&`)

/** Converts a text to LinkedIn's format, with its mentions and hashtags; other special characters are escaped. */
export function toLittle(text: string): string {
  const mentions = [...text.matchAll(MENTION)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    as: `@[${escaped(found[1] ?? '')}](${found[2] ?? ''})`,
  }))
  const tags = rules
    .findSpans(text)
    .flatMap(({ kind, start, end, value }) =>
      kind === 'tag' ? [{ start, end, as: `{hashtag|${escaped(text.charAt(start))}|${escaped(value)}}` }] : [],
    )
  let little = ''
  let at = 0
  for (const { start, end, as } of [...mentions, ...tags].toSorted((a, b) => a.start - b.start)) {
    // a hashtag inside a mention is part of its name
    if (start < at) continue
    little += escaped(text.slice(at, start)) + as
    at = end
  }
  return little + escaped(text.slice(at))
}

/** The text as people read it, to compare what LinkedIn shows with what was written, however it formats templates. */
export function fromLittle(little: string): string {
  return little
    .replace(/\{hashtag\|\\?([#＃])\|((?:\\.|[^\\}])*)\}/g, '$1$2')
    .replace(/@\[((?:\\.|[^\\\]])*)\]\(urn:li:[\w:-]+\)/g, '$1')
    .replace(/\\([|{}@[\]()<>#\\*_~])/g, '$1')
}

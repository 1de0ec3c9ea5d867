import type { PlatformRules, Span } from './rules.ts'

/** A handle: at least two labels, the last one not starting with a digit (atproto handle specification). */
const mention = /(^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)\b/giu
const link = /(^|[\s(])(https?:\/\/[^\s<>"]+)/giu
const tag = /(^|\s)[#＃]((?!\ufe0f)[^\s\u00AD\u2060\u200A-\u200D\u20e2]+)/gu

/** Punctuation that ends a sentence does not belong to a link; a closing bracket does when one was opened in it. */
function trimLink(text: string): string {
  let cut = text.replace(/[.,;:!?'"]+$/u, '')
  if (cut.endsWith(')') && !cut.includes('(')) cut = cut.slice(0, -1)
  return cut
}

/** Links, mentions and hashtags of a text, in order and without overlaps. */
export function findSpans(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(link)) {
    const value = trimLink(match[2] ?? '')
    const start = match.index + (match[1]?.length ?? 0)
    if (URL.canParse(value)) found.push({ kind: 'link', start, end: start + value.length, value })
  }
  for (const match of text.matchAll(mention)) {
    const value = match[2] ?? ''
    const start = match.index + (match[1]?.length ?? 0)
    found.push({ kind: 'mention', start, end: start + value.length + 1, value: value.toLowerCase() })
  }
  for (const match of text.matchAll(tag)) {
    const value = (match[2] ?? '').replace(/\p{P}+$/u, '')
    const start = match.index + (match[1]?.length ?? 0)
    if (value && !/^\d+$/.test(value) && value.length <= 64) found.push({ kind: 'tag', start, end: start + value.length + 1, value })
  }
  found.sort((a, b) => a.start - b.start)
  return found.filter((span, i) => i === 0 || span.start >= (found[i - 1]?.end ?? 0))
}

export const bluesky: PlatformRules = {
  key: 'bluesky',
  label: 'Bluesky',
  findSpans,
  posts: [
    {
      postType: 'post',
      text: {
        limits: [
          { unit: 'graphemes', max: 300 },
          { unit: 'utf8bytes', max: 3000 },
        ],
        required: false,
      },
      images: { most: 4, bytes: 2_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 2000 } },
      videos: { most: 0, bytes: 0, types: [], seconds: { min: 0, max: 0 } },
      mixedMedia: false,
      documents: 0,
      thread: { most: 1 },
      linkCard: { title: 100, description: 300 },
    },
  ],
}

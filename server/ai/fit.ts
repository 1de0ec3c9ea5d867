import { postErrors } from '#contract/checkPost.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey, PostRules, Span } from '#contract/platforms/rules.ts'
import { findCommonSpans } from '#contract/platforms/spans.ts'
import { trimEndWhere } from '#contract/trimEnd.ts'
import { storable } from '../delivery/storable.ts'
import { closeGaps, GAP, withoutMarkup } from './plainText.ts'

/** The rules for a draft on the platform: its plain post, otherwise the first post type. */
export function draftRules(platform: PlatformKey): PostRules {
  const { posts } = platformRules[platform]
  const rules = posts.find(({ postType }) => postType === 'post') ?? posts[0]
  if (!rules) throw new Error(`${platform} takes no posts`)
  return rules
}

/** The text's own problems, by the composer's check. Missing images aren't a draft's fault. */
export function textFaults(rules: PostRules, text: string): string[] {
  return postErrors(rules, [{ text, media: [] }]).flatMap(({ field, message }) =>
    field === 'contents.0.text' ? [message] : [],
  )
}

type Finder = (text: string) => Span[]

/**
 * A name such as www.example.com, without https:// before it. It reads as an address even if its ending doesn't exist.
 */
const bareName =
  /(?<![\p{L}\p{N}@/._-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(\p{Ll}{2,})(?![\p{L}\p{N}-])(?::\d+)?(?:\/[^\s<>"]*)?/gu
/** Endings of names that people write about and that aren't domains. */
const files = new Set('js jsx ts tsx rb go txt pdf doc docx xls xlsx csv jpg jpeg png gif mp3 mp4'.split(' '))
const findBareNames: Finder = (text) =>
  [...text.matchAll(bareName)].flatMap(({ 0: value, 1: ending = '', index }): Span[] =>
    files.has(ending) ? [] : [{ kind: 'link', start: index, end: index + value.length, value }],
  )

/** Handles and email addresses in any form, even if the platform doesn't have such a form. */
const handle = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]*[@＠][\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?/gu
const findHandles: Finder = (text) =>
  [...text.matchAll(handle)].map(({ 0: value, index }) => ({
    kind: 'mention',
    start: index,
    end: index + value.length,
    value,
  }))

/** How links and mentions are found: as platforms show them, and as people read them. */
export const findersOf = (platforms: readonly PlatformKey[]): Finder[] => [
  findCommonSpans,
  ...new Set(platforms.map((platform) => platformRules[platform].findSpans)),
  findHandles,
  findBareNames,
]

/**
 * Plain text only: what the model read may have talked it into naming addresses. They're removed, with markup and
 * characters that no database stores.
 */
export const onlyWords = (platform: PlatformKey, text: string): string => wordsBut(text, findersOf([platform]), '')

/** The links and mentions of a text that `known` doesn't contain as they are. */
export function strangersIn(text: string, finders: readonly Finder[], known: string): Span[] {
  const written = (source: string, find: Finder) => find(source).filter(({ kind }) => kind !== 'tag')
  return finders.flatMap((find) => {
    const there = new Set(written(known, find).map(({ start, end }) => known.slice(start, end)))
    return written(text, find).filter(({ start, end }) => !there.has(text.slice(start, end)))
  })
}

/** Removing one may create another from what surrounds it, so the text is checked again, at most this often. */
const ROUNDS = 8

/** The same for a text made from another, whose addresses and markup belong to its writer: those of `known` stay. */
export function wordsBut(text: string, finders: readonly Finder[], known: string): string {
  // control characters, direction marks, and our own gap mark
  const given = storable(text.slice(0, LONGEST)).replaceAll(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ue000]/gu, ' ')
  let words = tidy(withoutMarkup(given, known))
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = words
    for (const find of finders)
      for (const { start, end } of strangersIn(words, [find], known).toSorted((a, b) => b.start - a.start))
        words = `${words.slice(0, start)}${GAP}${words.slice(end)}`
    if (words === before) break
    words = tidy(closeGaps(words))
  }
  return words
}

const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Longer answers are no posts. */
const LONGEST = 20_000

/**
 * The text within the platform's limits: whole if it fits, otherwise cut after a word, or within one that is too long
 * by itself.
 */
export function fitText(rules: PostRules, text: string): string {
  const whole = text.slice(0, LONGEST).toWellFormed()
  if (textFaults(rules, whole).length === 0) return whole
  return longestFit(rules, whole, endsOf(whole, 'word')) ?? longestFit(rules, whole, endsOf(whole, 'grapheme')) ?? ''
}

/** Where words or characters end, in languages with and without spaces between words. */
const endsOf = (text: string, granularity: 'word' | 'grapheme') =>
  [...new Intl.Segmenter('en', { granularity }).segment(text)].map(({ index, segment }) => index + segment.length)

/**
 * The longest start that ends at one of the positions and fits; counts grow with the text, so this is a binary search.
 */
function longestFit(rules: PostRules, text: string, ends: readonly number[]): string | undefined {
  const cut = (end: number) => `${trimEndWhere(text.slice(0, end), (char) => /[\s,;:–-]/u.test(char))}…`
  let [low, high] = [-1, ends.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (textFaults(rules, cut(ends[middle] ?? 0)).length === 0) low = middle
    else high = middle - 1
  }
  return low < 0 ? undefined : cut(ends[low] ?? 0)
}

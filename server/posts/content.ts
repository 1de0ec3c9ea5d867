import { z } from 'zod'
import { AdditionalDetails, DraftBody, Mention, PostContent, Schedule } from '#contract/posts.ts'
import type { PostRecord } from './access.ts'

const Contents = z.array(PostContent)

/** The JSON columns of a post, parsed by what was written into them. */
export const contentsOf = (post: Pick<PostRecord, 'contents'>): PostContent[] => Contents.parse(post.contents)
export const detailsOf = (post: Pick<PostRecord, 'details'>): AdditionalDetails => AdditionalDetails.parse(post.details)
export const scheduleOf = (post: Pick<PostRecord, 'schedule'>): Schedule => Schedule.parse(post.schedule)
export const draftOf = (post: Pick<PostRecord, 'draft'>): DraftBody | null => DraftBody.nullable().parse(post.draft)

export const mentionsOf = (post: Pick<PostRecord, 'mentions'>): Mention[] => z.array(Mention).parse(post.mentions)

const EXCERPT = 160
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a text in one line, as lists show it. Cut between characters, never within one. */
export function excerptOf(text: string, most = EXCERPT): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line.length <= most) return line
  let excerpt = ''
  for (const { segment } of segmenter.segment(line.slice(0, most * 4))) {
    if (excerpt.length + segment.length > most) break
    excerpt += segment
  }
  return excerpt
}

/** The columns that follow from what a post says. */
export function contentColumns(contents: readonly PostContent[], details: AdditionalDetails) {
  const [first] = contents
  return { contents: JSON.stringify(contents), details: JSON.stringify(details), excerpt: excerptOf(first?.text ?? ''), images: contents.reduce((n, content) => n + content.media.length, 0) }
}

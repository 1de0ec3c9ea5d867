import { postErrors, type ContentFacts } from '#contract/checkPost.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformRules, PostRules } from '#contract/platforms/rules.ts'
import type { MediaFile, Outgoing } from '../../platforms/platform.ts'
import type { Channel } from '../adapter/channel.ts'
import { outgoingPost, syntheticFile } from '../outgoing.ts'
import { requiredDetails } from './cases.ts'

/*
 * The fullest posts that the composer's check lets pass, each part of them as long as it may be: what an adapter makes of them has to
 * be taken. Lengths are found by asking the check itself, so that what it forgets to count shows.
 */

export type Full = { name: string; make: () => Promise<Outgoing> }

/** Characters that platforms count differently; some count domain names as URLs. */
const signs = ['a', '日', '😀', 'a.co ']
/** Longer than any part of a post may be. */
const LONGEST = 61_000

const factsOf = (file: MediaFile) => ({
  contentType: file.contentType,
  bytes: file.bytes,
  altText: file.altText,
  width: file.width,
  height: file.height,
  seconds: file.seconds,
  pages: 1,
  hasThumbnail: file.thumbnail !== undefined,
})

export function fullestOf(rules: PlatformRules, channel: Channel): Full[] {
  return rules.posts.flatMap((post) =>
    filesOf(post).flatMap(([files, makeFiles]) =>
      signs.map((sign) => ({
        name: `${post.label}, ${files}, of ${JSON.stringify(sign)}`,
        make: async () => fullest(rules, post, makeFiles(sign), sign, await everyDetail(post, channel)),
      })),
    ),
  )
}

/** Everything that the post may carry besides: what has to be there, and what is counted with the text. */
async function everyDetail(post: PostRules, channel: Channel): Promise<AdditionalDetails> {
  const takes = (field: string) => post.details.some((detail) => detail.field === field)
  return {
    ...(await requiredDetails(post, channel)),
    ...(takes('link') && { link: `https://example.com/${'l'.repeat(60)}` }),
    ...(takes('contentWarning') && { contentWarning: '日'.repeat(200) }),
  }
}

function filesOf({
  images,
  videos,
  documents,
  mediaRequired,
}: PostRules): [name: string, make: (sign: string) => MediaFile[]][] {
  const one = (
    types: readonly string[],
    first: string,
    { ending, bytes = 100_000, ...more }: Partial<MediaFile> & { ending: string },
  ) =>
    syntheticFile(types.includes(first) ? first : (types[0] ?? first), {
      bytes,
      name: `file.${ending}`,
      url: () => `https://files.test/${bytes}.${ending}`,
      width: 1080,
      height: 1080,
      ...more,
    })
  const picture = (sign: string) =>
    one(images.types, 'image/jpeg', {
      ending: 'jpg',
      altText: images.altText ? longest((altText) => altText.length <= (images.altText?.max ?? 0), sign) : '',
    })
  const clip = () =>
    one(videos.types, 'video/mp4', {
      ending: 'mp4',
      bytes: 1_000_000,
      height: 1920,
      seconds: Math.max(videos.seconds.min, Math.min(20, videos.seconds.max)),
      ...(videos.thumbnail !== 'none' && { thumbnail: one(['image/jpeg'], 'image/jpeg', { ending: 'jpg' }) }),
    })
  return [
    ...(mediaRequired ? [] : [['nothing', () => []] as [string, () => MediaFile[]]]),
    ...(images.most > 0
      ? [
          [`${images.most} pictures`, (sign: string) => Array.from({ length: images.most }, () => picture(sign))] as [
            string,
            (sign: string) => MediaFile[],
          ],
        ]
      : []),
    ...(videos.most > 0 ? [['a video', () => [clip()]] as [string, () => MediaFile[]]] : []),
    ...(documents.most > 0
      ? [
          ['a document', () => [one(documents.types, 'application/pdf', { ending: 'pdf' })]] as [
            string,
            () => MediaFile[],
          ],
        ]
      : []),
  ]
}

function fullest(
  { findSpans }: PlatformRules,
  rules: PostRules,
  media: MediaFile[],
  sign: string,
  details: AdditionalDetails,
): Outgoing {
  const facts = media.map(factsOf)
  const broken = (contents: ContentFacts[], field: string, firstComment = '') =>
    postErrors(rules, contents, { details, firstComment, findSpans }).some((error) => error.field === field)
  const title = rules.title
    ? longest((words) => !broken([{ title: words, text: 'x', media: facts }], 'contents.0.title'), sign)
    : undefined
  const first = { ...(title !== undefined && { title }), media: facts }
  const text = longest((words) => !broken([{ ...first, text: words }], 'contents.0.text'), sign)
  const second =
    rules.thread.most > 1
      ? longest(
          (words) =>
            !broken(
              [
                { ...first, text },
                { text: words, media: [] },
              ],
              'contents.1.text',
            ),
          sign,
          '2 ',
        )
      : undefined
  const firstComment = rules.firstComment
    ? longest((words) => !broken([{ ...first, text }], 'firstComment', words), sign, '3 ')
    : null
  const contents = [
    { ...(title !== undefined && { title }), text, media },
    ...(second === undefined ? [] : [{ text: second, media: [] }]),
  ]
  const wrong = postErrors(
    rules,
    contents.map((item) => ({ ...item, media: item.media.map(factsOf) })),
    { details, firstComment: firstComment ?? '', findSpans },
  )
  if (wrong.length > 0)
    throw new Error(`the check refuses it: ${wrong.map(({ field, message }) => `${field}: ${message}`).join(', ')}`)
  return outgoingPost({ postType: rules.postType, details, contents, firstComment })
}

/**
 * As many of the character as the limit allows, without surrounding spaces. `begin` makes texts unique, because some
 * platforms refuse duplicates.
 */
function longest(isTaken: (words: string) => boolean, sign: string, begin = ''): string {
  let [low, high] = [0, Math.floor(LONGEST / sign.length)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isTaken((begin + sign.repeat(middle)).trim())) low = middle
    else high = middle - 1
  }
  return (begin + sign.repeat(low)).trim()
}

import { mediaErrors, mediaWarnings, motionOf, type MediaFacts } from '#contract/checkMedia.ts'
import type { Channel } from '#contract/channels.ts'
import type { PostRules, PostType } from '#contract/platforms/rules.ts'
import { describePostProblem } from '#contract/postProblems.ts'
import { postTypeFor, rulesOf, type Taken } from './checks.ts'
import type { Doc } from './doc.ts'

/** What some channels get instead of a file, and what some platforms may not accept: a sentence each. */
export function fileNotes(taken: readonly Taken[], file: MediaFacts): string[] {
  const found = new Map<string, { words: (labels: readonly string[]) => string; labels: Set<string> }>()
  const note = (label: string, key: string, words: (labels: readonly string[]) => string) => {
    const known = found.get(key) ?? { words, labels: new Set() }
    found.set(key, { ...known, labels: known.labels.add(label) })
  }
  for (const { platform, rules } of taken) {
    for (const what of copyOf(rules, file)) note(platform.label, what, sentences[what])
    for (const warning of mediaWarnings(rules, file)) {
      const words = describePostProblem(warning)
      note(platform.label, words, (labels) => `${labels.join(', ')}: ${words}.`)
    }
  }
  return [...found.values()].map(({ words, labels }) => words([...labels]))
}

const list = (labels: readonly string[]) => new Intl.ListFormat('en').format(labels)
const get = (labels: readonly string[]) => (labels.length === 1 ? 'gets' : 'get')
const sentences = {
  still: (labels: readonly string[]) => `This becomes a still picture on ${list(labels)}.`,
  jpeg: (labels: readonly string[]) => `${list(labels)} ${get(labels)} a JPEG.`,
  converted: (labels: readonly string[]) => `${list(labels)} ${get(labels)} a JPEG or PNG.`,
  colors: (labels: readonly string[]) => `${list(labels)} ${get(labels)} a copy in RGB colors.`,
  smaller: (labels: readonly string[]) => `${list(labels)} ${get(labels)} a smaller copy.`,
}

/** What the channel's copy is like; nothing if it gets the file itself, and can show what it is. */
function copyOf(rules: PostRules, file: MediaFacts): (keyof typeof sentences)[] {
  const { images } = rules
  if (!file.contentType.startsWith('image/') || images.most === 0) return []
  if ((file.frames ?? 1) > 1 && !motionOf(images, file)) return ['still']
  const codes = new Set(
    mediaErrors(rules, file, '').flatMap(({ fix, problem }) => (fix === 'fit' ? [problem.code] : [])),
  )
  if (codes.size === 0) return []
  if (codes.has('file-type-unsupported')) return [images.types.includes('image/png') ? 'converted' : 'jpeg']
  return [codes.has('image-colors') ? 'colors' : 'smaller']
}

/** Which of the channels need a copy of a file, with their post types. */
export function channelsToCopyFor<C extends Pick<Channel, 'channelId' | 'platformName' | 'limits'>>(
  channels: readonly C[],
  variants: Doc['variants'],
  file: MediaFacts,
): { channel: C; postType: PostType }[] {
  return channels.flatMap((channel) => {
    const postType = postTypeFor(channel, variants[channel.channelId]?.postType)
    const rules = rulesOf(channel, postType)
    return rules && mediaErrors(rules, file, '').some(({ fix }) => fix === 'fit') ? [{ channel, postType }] : []
  })
}

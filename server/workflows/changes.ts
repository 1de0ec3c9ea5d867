import { linkTagNames } from '#contract/links/details.ts'
import type { Approval } from '#contract/workflows.ts'
import type { KeptContent } from '../approvals/content.ts'

type Change = NonNullable<Approval['changes']>[number]
/** Names of files and channels by their ids. */
export type Names = ReadonlyMap<string, string>

/** What differs between two contents, field by field; null if nothing does. */
export function changesBetween(before: KeptContent, after: KeptContent, names: Names): Change[] | null {
  const [was, is] = [fieldsOf(before, names), fieldsOf(after, names)]
  const fields = [...new Set([...was.keys(), ...is.keys()])]
  const changes = fields
    .map((field) => ({ field, before: was.get(field) ?? '', after: is.get(field) ?? '' }))
    .filter((change) => change.before !== change.after)
  return changes.length > 0 ? changes : null
}

function fieldsOf(
  { contents, details, firstComment, mentions, channelId, postType }: KeptContent,
  names: Names,
): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [i, { title = '', text, media }] of contents.entries()) {
    const part = i === 0 ? '' : ` of part ${i + 1}`
    fields.set(`Text${part}`, text)
    fields.set(`Title${part}`, title)
    fields.set(
      `Files${part}`,
      media
        .map(({ assetId, altText }) =>
          [names.get(assetId) ?? 'A file that was deleted', altText].filter(Boolean).join(': '),
        )
        .join('\n'),
    )
  }
  fields.set('First comment', firstComment)
  fields.set('Mentions', mentions.map(({ userId, name }) => name ?? userId).join('\n'))
  fields.set('Channel', channelId === null ? '' : (names.get(channelId) ?? 'A channel that was deleted'))
  fields.set('Post type', postType)
  const { linkTags, shorten = false, linkFacts, ...others } = details
  for (const [key, value] of Object.entries(others)) fields.set(labelOf(key), wordsOf(value))
  for (const [field, value] of linkFields({ linkTags, shorten, linkFacts })) fields.set(field, value)
  return fields
}

/** What happens to links. Without it, nothing that was known of them matters. */
function linkFields({ linkTags, shorten, linkFacts }: KeptContent['details']): [field: string, value: string][] {
  if (!linkFacts) return []
  const { channel, campaign, shortUrl } = linkFacts
  const tags = linkTagNames.flatMap((name) => {
    const text = linkTags?.[name]?.replaceAll('{channel}', channel).replaceAll('{campaign}', campaign)
    return text ? [`${name}=${text}`] : []
  })
  return [
    ['UTM tags', tags.join('\n')],
    ['Short links', shorten === true ? shortUrl : ''],
  ]
}

/** "callToAction" as "Call to action". */
const labelOf = (key: string): string =>
  key.charAt(0).toUpperCase() + key.slice(1).replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)

function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, part]) => `${labelOf(key)}: ${wordsOf(part)}`)
      .join('\n')
  return JSON.stringify(value)
}

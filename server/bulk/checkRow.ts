import { bulkColumnNames, type BulkCells, type BulkColumn, type BulkRemark } from '#contract/bulk.ts'
import type { MediaFacts } from '#contract/checkMedia.ts'
import { channelProblem, postErrors } from '#contract/checkPost.ts'
import { WebAddress } from '#contract/common.ts'
import { countedLinks } from '#contract/links/apply.ts'
import { campaignOf } from '#contract/links/fill.ts'
import { withLimits } from '#contract/platforms/limits.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PostRules } from '#contract/platforms/rules.ts'
import { describePostProblem } from '#contract/postProblems.ts'
import type { Submit } from '#contract/submit.ts'
import { trimEndWhere } from '#contract/trimEnd.ts'
import { limitsOf, type ChannelRow } from '../access/channels.ts'
import { fillLinks } from '../links/fill.ts'
import { platformOf } from '../posts/checks.ts'
import { findChannels, findNamed } from './named.ts'
import type { ProjectFacts } from './facts.ts'
import { readWhen } from './when.ts'

/** What a row would become: a submit whose files are still URLs. */
type Planned = { submit: Submit; urls: string[] }
export type CheckedRow = {
  errors: BulkRemark[]
  warnings: BulkRemark[]
  at: Date | null
  timezone: string | null
  channels: ChannelRow[]
  planned: Planned | null
}

type Say = (column: BulkColumn | null, message: string) => void

/** All of a row's errors, by column, and what it would become if there are none. Only uses its arguments. */
export function checkRow(cells: BulkCells, facts: ProjectFacts): CheckedRow {
  const errors: BulkRemark[] = []
  const say: Say = (column, message) => void errors.push({ column, message })
  const channels = findChannels(cells.channel, facts.channels, say)
  const when = readWhen(cells, channels[0]?.zone ?? facts.zone, facts.now)
  if (cells.timezone === '' && new Set(channels.map(({ zone }) => zone ?? facts.zone)).size > 1)
    say('timezone', 'These channels are in different time zones. Enter the time zone you mean.')
  const labels = findNamed('labels', cells.labels, facts.labels, say)
  const campaigns = findNamed('campaign', cells.campaign, facts.campaigns, say)
  for (const { name, isArchived } of labels) if (isArchived) say('labels', `The label ${name} is archived.`)
  for (const { name, isClosed } of campaigns)
    if (isClosed) say('campaign', `The campaign ${name} can't take new posts.`)
  if (campaigns.length > 0 && !facts.hasCampaigns) say('campaign', "Your plan doesn't include campaigns.")
  const urls = readUrls(cells.media, say)
  const composed = channels.flatMap((channel) =>
    compose(
      { cells, channel, urls, campaign: campaignOf(campaigns.map(({ name }) => name)) },
      facts.links,
      (column, message) => say(column, channels.length > 1 ? `${channel.handle}: ${message}` : capital(message)),
    ),
  )
  errors.push(...when.errors)

  const warnings = [...when.warnings, ...channels.flatMap(connectionWarning)]
  const isWhole = errors.length === 0 && when.at !== null && when.timezone !== null && composed.length > 0
  const submit: Submit | null =
    isWhole && when.at && when.timezone !== null
      ? {
          intent: 'SCHEDULE',
          channels: composed,
          schedule: { type: 'ONCE', details: { utc: when.at.toISOString(), timezone: when.timezone } },
          ...(labels.length > 0 && { labels: labels.map(({ id }) => id) }),
          ...(campaigns.length > 0 && { campaignIds: campaigns.map(({ id }) => id) }),
        }
      : null
  return {
    errors: inOrder(errors),
    warnings,
    at: when.at,
    timezone: when.timezone,
    channels,
    planned: submit && { submit, urls },
  }
}

type Row = { cells: BulkCells; channel: ChannelRow; urls: readonly string[]; campaign: string }

function compose({ cells, channel, urls, campaign }: Row, links: ProjectFacts['links'], say: Say): Submit['channels'] {
  const trouble = channelProblem(channel, false)
  if (trouble) say('channel', describePostProblem(trouble))
  const rules = typeOf(cells.postType, channel, say)
  if (!rules) return []
  const platform = platformOf(channel)
  const finder = platformRules[platform]
  const title = cells.title === '' ? {} : { title: cells.title }
  if (cells.title !== '' && !rules.title) say('title', 'titles are not supported.')
  const written = { contents: [{ text: cells.text }], firstComment: cells.firstComment, details: {} }
  const { linkFacts, ...details } = fillLinks({ ...written, channel }, { ...links, campaign })
  for (const { field, message } of postErrors(
    rules,
    [{ ...title, text: cells.text, media: urls.map((url) => guess(url, rules)) }],
    {
      firstComment: cells.firstComment,
      isUnsent: true,
      findSpans: finder.findSpans,
      links: linkFacts && countedLinks({ ...details, linkFacts }, platform, finder),
    },
  )) {
    const column = columnOf(field)
    say(
      column ?? 'channel',
      column ? `${message}.` : `${message}. You can't set this in a row. Create the post in the composer.`,
    )
  }
  const firstComment = cells.firstComment === '' ? {} : { firstComment: cells.firstComment }
  return [
    {
      channelId: channel.id,
      postType: rules.postType,
      contents: [{ ...title, text: cells.text, media: [] }],
      ...firstComment,
      // as it was shown: settings that change before it's scheduled don't
      ...(linkFacts && { additionalDetails: details }),
    },
  ]
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** The rules of the requested post type; without one, of the platform's first. */
function typeOf(cell: string, channel: ChannelRow, say: Say): PostRules | undefined {
  const { posts, label } = platformRules[platformOf(channel)]
  const asked = cell.toLowerCase()
  const rules =
    asked === ''
      ? posts[0]
      : posts.find(({ postType, label: name }) => postType === asked || name.toLowerCase() === asked)
  if (!rules)
    say(
      'postType',
      `${label} doesn't support "${cell}". Use one of these: ${posts.map(({ postType }) => postType).join(', ')}.`,
    )
  return rules && withLimits(rules, limitsOf(channel))
}

function columnOf(field: string): BulkColumn | undefined {
  if (field === 'firstComment') return 'firstComment'
  if (field.startsWith('contents.0.media')) return 'media'
  if (field.startsWith('contents.0.title')) return 'title'
  if (field.startsWith('contents')) return 'text'
  return undefined
}

/** The column where a row's failed submit is reported, by the field's path in the submit. */
export function columnOfSubmit(path: string): BulkColumn | null {
  const own = path.replace(/^channels\.\d+\./, '')
  if (own === 'labels') return 'labels'
  if (own === 'campaignIds') return 'campaign'
  if (own === 'schedule') return 'date'
  if (own === 'postType') return 'postType'
  if (own === 'workflowId') return null
  return columnOf(own) ?? 'channel'
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  pdf: 'application/pdf',
}

/**
 * The expected file type of a URL, by its ending; without one, what the post accepts. The actual file is checked once
 * it's here.
 */
function guess(url: string, { images, videos }: PostRules): MediaFacts {
  const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''
  return { contentType: types[ending] ?? (images.most === 0 && videos.most > 0 ? 'video/mp4' : 'image/jpeg'), bytes: 0 }
}

function readUrls(cell: string, say: Say): string[] {
  // a separator before blanks or the next URL; further separators are removed at the end
  const urls = cell
    .split(/[\s|]+|[,;](?=https?:)/)
    .map((url) => trimEndWhere(url, (sign) => sign === ',' || sign === ';'))
    .filter(Boolean)
  const wrong = urls.filter((url) => !WebAddress.safeParse(url).success)
  for (const url of wrong) say('media', `"${url.slice(0, 80)}" isn't a web address. Start it with https://.`)
  return wrong.length > 0 ? [] : [...new Set(urls)]
}

function connectionWarning({ status, handle }: ChannelRow): BulkRemark[] {
  return status === 'CONNECTED'
    ? []
    : [{ column: 'channel', message: `${handle} isn't connected right now. Reconnect it before the post is due.` }]
}

const columns = Object.keys(bulkColumnNames)
const inOrder = (remarks: readonly BulkRemark[]) =>
  remarks.toSorted((one, other) => columns.indexOf(one.column ?? '') - columns.indexOf(other.column ?? ''))

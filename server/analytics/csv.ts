import { Readable } from 'node:stream'
import type { insightsSeries } from '#contract/analytics/overview.ts'
import { type FigureBase, type FigureKey, type FigureSubject } from '#contract/analytics/names.ts'
import { columnsOf, ownColumn, postColumns } from '#contract/analytics/postColumns.ts'
import { addsOf, baseTerm, baseText, columnTitle, postTitle, shownValue, termOf } from '#contract/analytics/labels.ts'
import { nameOnPlatform } from '#contract/channelNames.ts'
import { harmless, writeCsv } from '#contract/csv.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { wallText, wallTimeOf } from '#contract/time.ts'
import type { Databases } from '../db/pools.ts'
import { asTenant } from '../db/tenant.ts'
import type { Bytes } from '../http/route.ts'
import { everyPost } from './everyPost.ts'
import { readNames, readPosts, type TableOrder } from './postTable.ts'
import { isWorkedOut, platformsOf, type Reader, type Scope } from './scope.ts'

/** A CSV file (RFC 4180, UTF-8 with a byte order mark for spreadsheets) as a reply. */
export const csvFile = (name: string, bytes: Readable): Bytes => ({
  bytes,
  contentType: 'text/csv; charset=utf-8',
  headers: { 'content-disposition': `attachment; filename="${name}.csv"`, 'cache-control': 'no-store' },
})

/** What channels are called, by id. */
type Named = { names: ReadonlyMap<string, string> }

/**
 * Lines by day as a table: a row per day, a column per line; a gap is an empty cell. If all channels are of one platform, figures have its
 * own words.
 */
export function seriesCsv(
  { days, series }: ReplyOf<typeof insightsSeries>,
  { channels, posts, names }: Pick<Scope, 'channels' | 'posts'> & Named,
  { base, subject }: { base: FigureBase; subject: FigureSubject },
): Readable {
  const whose = { base, subject: posts === null ? subject : 'post' } as const
  const nameOf = (key: string) => {
    const channel = channels.find(({ channelId }) => channelId === key)
    if (channel) return nameOnPlatform(names.get(key) ?? channel.channelName, channel.platformName)
    const platform = PlatformKey.safeParse(key)
    return platform.success ? platformLabel(platform.data) : key
  }
  const [platform, other] = platformsOf(channels)
  const head = series.map(({ key, name }) => {
    const title = lineTitle(whose, name, other === undefined ? platform : undefined)
    return columnTitle(key === 'total' ? title : `${title}: ${nameOf(key)}`, name)
  })
  const rows = days.map((day, i) => [day, ...series.map(({ name, values }) => cellOf(name, values[i]))])
  return Readable.from([`\uFEFF${writeCsv([['Day', ...head.map(harmless)], ...rows])}`], { objectMode: false })
}

/** A file has nothing above its columns that names the base. */
function lineTitle(
  { base, subject }: { base: FigureBase; subject: FigureSubject },
  name: FigureKey,
  platform: PlatformKey | undefined,
): string {
  const title = platform && subject === 'post' ? termOf(platform, 'post', name) : baseTerm(base, name, platform)
  if (base === 'inTheseDays' && addsOf(name) === 'last') return `${title} at the end of the day`
  return `${title} ${base === 'inTheseDays' && subject === 'post' ? 'that posts gained' : baseText(base, name)}`
}

// a number isn't a formula, so its minus stays
const cellOf = (name: FigureKey, value: number | null | undefined): string =>
  String(shownValue(name, value ?? null) ?? '')

/**
 * The post table as CSV: every post of the scope in the table's order, read in short transactions while it's sent, so it can
 * have any length. Callers check permissions. Times are those of the project's zone. If all channels are of one
 * platform, figures have its own words, and without `columns` there are only those that it reports.
 */
export function postsCsv(
  databases: Pick<Databases, 'exports'>,
  c: Omit<Reader, 'tx'>,
  scope: Scope & Named,
  order: TableOrder,
  columns: readonly FigureKey[] | undefined,
): Readable {
  const platforms = platformsOf(scope.channels)
  const [platform, other] = platforms
  const asked = columns?.map((name) => ownColumn(name, platforms)) ?? allColumns(scope, platforms)
  const titled = [...new Set(asked)].map((name): TitledColumn => ({
    name,
    title: columnTitle(postTitle(name, other === undefined ? platform : undefined), name),
  }))
  return Readable.from(portions(databases, c, scope, order, titled), { objectMode: false })
}

type TitledColumn = { name: FigureKey; title: string }

/** All figures, of one platform those that its posts can have. */
function allColumns({ apart }: Pick<Scope, 'apart'>, platforms: readonly PlatformKey[]): readonly FigureKey[] {
  const [platform, other] = platforms
  if (platform === undefined || other !== undefined) return postColumns
  // nothing is worked out of figures whose terms forbid it
  return columnsOf(platforms).filter((name) => !apart.includes(platform) || !isWorkedOut(name))
}

/** Its name, handle and platform. */
const channelCells = (channel: Scope['channels'][number] | undefined, { names }: Named): string[] =>
  channel
    ? [names.get(channel.channelId) ?? channel.channelName, channel.handle, platformLabel(channel.platformName)]
    : ['', '', '']

async function* portions(
  databases: Pick<Databases, 'exports'>,
  c: Omit<Reader, 'tx'>,
  scope: Scope & Named,
  order: TableOrder,
  titled: readonly TitledColumn[],
): AsyncGenerator<string> {
  const columns = titled.map(({ name }) => name)
  const texts = [
    `Published (${c.project.zone})`,
    'Channel',
    'Handle',
    'Platform',
    'Type',
    'Published with',
    'Text',
    'Link',
    'Labels',
    'Campaigns',
    'Read (UTC)',
    'Post id',
  ]
  yield `\uFEFF${writeCsv([[...texts.slice(0, 10), ...titled.map(({ title }) => title), ...texts.slice(10)]])}`
  const channels = new Map(scope.channels.map((channel) => [channel.channelId, channel]))
  for await (const ids of everyPost(databases, c, scope, order)) {
    const { posts, labels, campaigns } = await asTenant(databases.exports, c.org.orgId, async (tx) => {
      const reader = { ...c, tx }
      const rows = await readPosts(reader, scope, ids, { columns })
      return { posts: rows, ...(await readNames(reader, rows)) }
    })
    const namesOfLabels = new Map(labels.map(({ labelId, labelName }) => [labelId, labelName]))
    const namesOfCampaigns = new Map(campaigns.map(({ campaignId, name }) => [campaignId, name]))
    if (posts.length > 0)
      yield writeCsv(
        posts.map((post) => [
          ...[
            wallText(wallTimeOf(new Date(post.publishedAt), c.project.zone)).replace('T', ' '),
            ...channelCells(channels.get(post.channelId), scope),
            post.postType,
            post.origin === 'here' ? 'Rookery' : 'Elsewhere',
            post.excerpt,
            post.permalink ?? '',
            post.labelIds.map((id) => namesOfLabels.get(id) ?? '').join('; '),
            post.campaignIds.map((id) => namesOfCampaigns.get(id) ?? '').join('; '),
          ].map(harmless),
          ...columns.map((name) => cellOf(name, post.figures[name])),
          post.readAt ?? '',
          post.postId,
        ]),
      )
  }
}

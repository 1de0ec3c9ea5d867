import { sql } from 'kysely'
import { z } from 'zod'
import type { PostTable, PostTableRow } from '#contract/analytics/posts.ts'
import { derivedFigures, FigureKey, isCountedHere } from '#contract/analytics/names.ts'
import { fail } from '../errors.ts'
import { iso } from '../posts/rowJson.ts'
import { newest } from './newest.ts'
import { figuresOf } from './postFigures.ts'
import { countPosts } from './postSums.ts'
import { coverAddress, coverVersion, type Pictures } from './postPictures.ts'
import { isWorkedOut, platformsOf, type Reader, type Scope } from './scope.ts'

export type TableOrder = { sort: 'publishedAt' | FigureKey; order: 'asc' | 'desc' }
/** Where a page ends: among the posts that have the figure, or among those that don't, which follow by their time. */
const Place = z.union([
  z.tuple([z.literal('value'), z.int(), z.uuid()]),
  z.tuple([z.literal('time'), z.string().max(40).refine(isInstant), z.uuid()]),
])
export type Place = z.infer<typeof Place>
type Listed = { post_id: string; value: number | null; at: string }

/** A page of the post table. Throws BAD_INPUT for a cursor of another list. */
export async function readPostTable(
  c: Reader,
  scope: Scope,
  query: TableOrder & { cursor?: string | undefined; limit: number; columns?: readonly FigureKey[] | undefined },
  pictures: Pictures,
): Promise<PostTable> {
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor, query)
  const listed = await listPosts(c, scope, query, { after, limit: query.limit + 1 })
  const page = listed.slice(0, query.limit)
  const last = page.at(-1)
  const posts = await readPosts(
    c,
    scope,
    page.map(({ post_id }) => post_id),
    { columns: query.columns, pictures },
  )
  const channelIds = new Set(posts.map((post) => post.channelId))
  return {
    range: scope.range,
    posts,
    channels: scope.channels
      .filter(({ channelId }) => channelIds.has(channelId))
      .map(({ channelId, channelName, platformName, profileUrl }) => ({
        channelId,
        channelName,
        platformName,
        profileUrl,
      })),
    ...(await readNames(c, posts)),
    total: after ? null : await countPosts(c, scope),
    next: listed.length > query.limit && last ? cursorOf(last, query) : null,
    asOf: newest(posts.map(({ readAt }) => readAt)),
  }
}

/** Where a page that ends with this post ends. */
export const placeAfter = ({ post_id, value, at }: Listed): Place =>
  value === null ? ['time', at, post_id] : ['value', value, post_id]

/** A place in a list of one order. */
const Cursor = z.tuple([z.string(), z.enum(['asc', 'desc']), Place])

const cursorOf = (last: Listed, { sort, order }: TableOrder): string =>
  Buffer.from(JSON.stringify([sort, order, placeAfter(last)])).toString('base64url')

/** Whether it's an instant as the database writes it: "2026-11-19 10:00:00.5+00". */
function isInstant(text: string): boolean {
  const found = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)([+-](?:0\d|1[0-4]))$/.exec(text)
  if (!found?.[1] || found[1].startsWith('0000')) return false
  // 30 February is a day of March for some, and refused by the database
  const day = Date.parse(`${found[1]}T00:00:00Z`)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== found[1]) return false
  return !Number.isNaN(Date.parse(`${found[1]}T${found[2]}${found[3]}:00`))
}

function placeOf(cursor: string, { sort, order }: TableOrder): Place {
  try {
    const [ofSort, ofOrder, place] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    if (ofSort !== sort || ofOrder !== order) throw new Error('the cursor of a list in another order')
    if (sort === 'publishedAt' && place[0] !== 'time') throw new Error('the cursor of a list sorted by a figure')
    return place
  } catch (cause) {
    throw fail('BAD_INPUT', { errors: { cursor: ['Not the cursor of a page'] }, cause })
  }
}

/**
 * The next posts of the table: those with the figure in its order, then the others, newest first. Posts of platforms whose
 * terms forbid rankings are among the others, unless all posts are of that platform.
 */
export async function listPosts(
  c: Reader,
  scope: Scope,
  { sort, order }: TableOrder,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<Listed[]> {
  if (scope.channels.length === 0) return []
  if (sort === 'publishedAt') return await byTime(c, scope, { order, after, limit, without: null })
  const isMixed = platformsOf(scope.channels).length > 1
  const isDerived = derivedFigures.some((name) => name === sort)
  const ranked =
    (isMixed && !isCountedHere(sort)) || isDerived
      ? scope.channels.filter((channel) => !scope.apart.includes(channel.platformName))
      : scope.channels
  const valued =
    after?.[0] === 'time' ? [] : await byValue(c, { ...scope, channels: ranked }, { name: sort, order, after, limit })
  if (valued.length === limit) return valued
  const rest = await byTime(c, scope, {
    order: 'desc',
    after: after?.[0] === 'time' ? after : undefined,
    limit: limit - valued.length,
    without: { name: sort, ranked: idsOf({ channels: ranked }) },
  })
  return [...valued, ...rest]
}

async function byValue(
  c: Reader,
  scope: Scope,
  { name, order, after, limit }: { name: FigureKey; order: 'asc' | 'desc'; after: Place | undefined; limit: number },
): Promise<Listed[]> {
  const beyond = after ? sql`and (f.value, f.post_id) ${past(order)} (${after[1]}::bigint, ${after[2]}::uuid)` : sql``
  const { rows } = await sql<Listed>`
    select f.post_id, f.value, '' as at ${figuresOf(c, scope, name)} ${beyond} order by f.value ${way(order)}, f.post_id ${way(order)} limit ${limit}`.execute(
    c.tx,
  )
  return rows
}

async function byTime(
  c: Reader,
  scope: Scope,
  {
    order,
    after,
    limit,
    without,
  }: {
    order: 'asc' | 'desc'
    after: Place | undefined
    limit: number
    without: { name: FigureKey; ranked: string[] } | null
  },
): Promise<Listed[]> {
  const beyond = after
    ? sql`and (f.shown_at, f.post_id) ${past(order)} (${after[1]}::timestamptz, ${after[2]}::uuid)`
    : sql``
  const lacking = without
    ? sql`and not exists (
        select from post_figure o where o.org_id = f.org_id and o.post_id = f.post_id and o.name = ${without.name} and o.channel_id = any(${without.ranked}::uuid[]))`
    : sql``
  const { rows } = await sql<Listed>`
    select f.post_id, null::bigint as value, f.shown_at::text as at ${figuresOf(c, scope, 'published')} ${lacking} ${beyond}
    order by f.shown_at ${way(order)}, f.post_id ${way(order)} limit ${limit}`.execute(c.tx)
  return rows
}

const way = (order: 'asc' | 'desc') => (order === 'asc' ? sql`asc` : sql`desc`)
const past = (order: 'asc' | 'desc') => (order === 'asc' ? sql`>` : sql`<`)
const idsOf = ({ channels }: Pick<Scope, 'channels'>): string[] => channels.map(({ channelId }) => channelId)

type Row = Omit<PostTableRow, 'figures' | 'thumbnailUrl'> & {
  figures: Record<string, number>
  projectId: string
  /** On its platform. */ picture: string | null
  cover: number | null
}

/**
 * The posts with their latest figures, in the order of the ids. The rate is in percent. With `pictures`, those of posts that
 * were published elsewhere come from their platform through our server, others are covers as lists of posts show them.
 */
export async function readPosts(
  c: Pick<Reader, 'tx' | 'org' | 'now'>,
  scope: Pick<Scope, 'channels' | 'apart'>,
  ids: readonly string[],
  { columns, pictures }: { columns?: readonly FigureKey[] | undefined; pictures?: Pictures } = {},
): Promise<PostTableRow[]> {
  if (ids.length === 0) return []
  // nothing is worked out of figures whose terms forbid it
  const apart = new Set(
    idsOf({ channels: scope.channels.filter(({ platformName }) => scope.apart.includes(platformName)) }),
  )
  const { rows } = await sql<Row>`
    select m.id as "postId", case when m.elsewhere then 'elsewhere' else 'here' end as origin, m.channel_id as "channelId", m.post_type as "postType", m.media, ${iso('m.shown_at')} as "publishedAt",
      coalesce(p.excerpt, m.excerpt, '') as excerpt, coalesce(p.permalink, m.permalink) as permalink, ${iso('m.gone_at')} as "goneAt", m.picture_url as picture,
      m.project_id as "projectId", ${coverVersion(pictures)} as cover,
      array(select l.label_id::text from post_label l where l.org_id = m.org_id and l.post_id = m.id order by 1) as "labelIds",
      array(select x.campaign_id::text from post_campaign x where x.org_id = m.org_id and x.post_id = m.id order by 1) as "campaignIds",
      coalesce(f.figures, '{}') as figures, ${iso('f.read_at')} as "readAt"
    from unnest(${[...ids]}::uuid[]) with ordinality w(id, nth) join measured_post m on m.org_id = ${c.org.orgId} and m.id = w.id
      left join post_figure f on f.org_id = m.org_id and f.post_id = m.id and f.name = 'published'
      left join post p on p.org_id = m.org_id and p.id = m.id and not m.elsewhere
    order by w.nth`.execute(c.tx)
  const { orgId } = c.org
  return rows.map(({ picture, cover, projectId, figures, ...row }) => ({
    ...row,
    figures: figuresOfRow(figures, { columns, isApart: apart.has(row.channelId) }),
    thumbnailUrl:
      cover === null
        ? (pictures?.link(orgId, picture, c.now) ?? null)
        : coverAddress({ orgId, projectId, postId: row.postId }, cover),
  }))
}

/** Whether the catalog has it (still). */
export const isFigure = (name: string): name is FigureKey => FigureKey.options.some((one) => one === name)

/** The figures that a post is shown with, of those that its row has. */
function figuresOfRow(
  stored: Readonly<Record<string, number>>,
  { columns, isApart }: { columns: readonly FigureKey[] | undefined; isApart: boolean },
): Record<string, number> {
  const asked: readonly string[] = columns ?? FigureKey.options
  // a name that the catalog doesn't have (any more) is no figure to show; a post's views are its platform's own, whatever they're called
  const shown = Object.entries(stored).filter(
    ([name]) => isFigure(name) && !(isApart && isWorkedOut(name)) && asked.includes(name),
  )
  return Object.fromEntries(shown.map(([name, value]) => [name, name === 'engagementRate' ? value / 100 : value]))
}

/** The labels and campaigns that the posts name. */
export async function readNames(
  { tx, org }: Pick<Reader, 'tx' | 'org'>,
  posts: readonly Pick<PostTableRow, 'labelIds' | 'campaignIds'>[],
): Promise<Pick<PostTable, 'labels' | 'campaigns'>> {
  const labelIds = [...new Set(posts.flatMap((post) => post.labelIds))]
  const campaignIds = [...new Set(posts.flatMap((post) => post.campaignIds))]
  const { rows: labels } = await sql<PostTable['labels'][number]>`
    select id as "labelId", name as "labelName", color from label where org_id = ${org.orgId} and id = any(${labelIds}::uuid[]) order by lower(name), id`.execute(
    tx,
  )
  const { rows: campaigns } = await sql<PostTable['campaigns'][number]>`
    select id as "campaignId", name from campaign where org_id = ${org.orgId} and id = any(${campaignIds}::uuid[]) order by lower(name), id`.execute(
    tx,
  )
  return { labels, campaigns }
}

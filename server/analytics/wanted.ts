import { sql, type RawBuilder } from 'kysely'
import { platformFigure, platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf } from '#contract/analytics/catalog/names.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { figureSource, hasNoSeries, rateSources, type Source } from '#contract/analytics/sources.ts'
import type { Scope, ScopeChannel } from './scope.ts'

/*
 * Which rows of the tables are needed for figures in these days: channels of one platform have the same sources, unless an account
 * of that kind has no days of its own.
 */

/** Where a figure of a channel comes from; undefined if its platform doesn't report it. */
export const sourceFor = (scope: Pick<Scope, 'posts'>, channel: ScopeChannel, name: FigureKey): Source | undefined =>
  figureSource(channel.platformName, 'inTheseDays', name, { postsOnly: isPostsOnly(scope, channel) })

/** Where the two sides of a channel's rate come from. */
export const rateFor = (scope: Pick<Scope, 'posts'>, channel: ScopeChannel) =>
  rateSources(channel.platformName, { postsOnly: isPostsOnly(scope, channel) })

/** A filter for posts leaves only what these posts gained. */
const isPostsOnly = ({ posts }: Pick<Scope, 'posts'>, { platformName, kind }: ScopeChannel) =>
  posts !== null || hasNoSeries(platformName, kind)

/**
 * `sum` and `level` are the channel's own days, `gain` is what its posts gained, and `post` their figures to date by the day that
 * they were published on.
 */
export type RowKind = 'sum' | 'level' | 'gain' | 'post'
/** A name to read of the channels of one kind; `side` is its side of the rate. */
export type WantedRow = {
  of: string
  name: string
  kind: RowKind
  side: 'part' | 'whole' | null
  delayDays: number
  zone: string
}
export type Wanted = { rows: WantedRow[]; channels: { id: string; of: string }[] }

/** These names of all channels. */
export const wantedOf = (channels: readonly ScopeChannel[], kind: RowKind, names: readonly string[]): Wanted => ({
  rows: names.map((name) => ({ of: 'all', name, kind, side: null, delayDays: 0, zone: 'UTC' })),
  channels: channels.map(({ channelId: id }) => ({ id, of: 'all' })),
})

/** The rows that these figures are made of. */
export function wantedRows(scope: Pick<Scope, 'posts' | 'channels'>, names: ReadonlySet<FigureKey>): Wanted {
  const rows = new Map<string, WantedRow>()
  const kinds = new Set<string>()
  const channels = scope.channels.map((channel) => {
    const of = `${channel.platformName} ${isPostsOnly(scope, channel)}`
    if (kinds.has(of)) return { id: channel.channelId, of }
    kinds.add(of)
    const { zone } = platformFigures[channel.platformName]
    const add = (source: Source | undefined, side: WantedRow['side']) => {
      for (const name of source?.names ?? []) {
        const isGain = source?.kind !== 'series'
        const kind = isGain ? 'gain' : definitionOf(name).adds === 'last' ? 'level' : 'sum'
        const known = rows.get(`${of} ${kind} ${name}`)
        const figure = platformFigure(channel.platformName, isGain ? 'post' : 'channel', name)
        const delayDays = Math.ceil((figure?.delayHours ?? 0) / 24)
        rows.set(`${of} ${kind} ${name}`, { of, name, kind, delayDays, zone, side: side ?? known?.side ?? null })
      }
    }
    for (const name of names) if (name !== 'engagementRate') add(sourceFor(scope, channel, name), null)
    const rate = names.has('engagementRate') ? rateFor(scope, channel) : undefined
    add(rate?.part, 'part')
    add(rate?.whole, 'whole')
    return { id: channel.channelId, of }
  })
  return { rows: [...rows.values()], channels }
}

/** The tables `ch` (id, of_kind) and `w` (of_kind, name, zone, delay, side) of a query for rows of this kind. */
export const wantedTables = ({ channels, rows }: Wanted, kind: RowKind): RawBuilder<unknown> => {
  const own = rows.filter((row) => row.kind === kind)
  return sql`
    ch as materialized (select * from unnest(${channels.map(({ id }) => id)}::uuid[], ${channels.map(({ of }) => of)}::text[]) c(id, of_kind)),
    w as materialized (
      select * from unnest(${own.map(({ of }) => of)}::text[], ${own.map(({ name }) => name)}::text[], ${own.map(({ zone }) => zone)}::text[], ${own.map(({ delayDays }) => delayDays)}::int[], ${own.map(({ side }) => side)}::text[])
        n(of_kind, name, zone, delay, side))`
}

/** Whether rows of this kind are needed at all. */
export const wants = ({ rows, channels }: Wanted, kind: RowKind): boolean =>
  channels.length > 0 && rows.some((row) => row.kind === kind)

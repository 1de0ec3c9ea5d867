import type { BulkColumn } from '#contract/bulk.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChannelRow } from '../access/channels.ts'
import { platformOf } from '../posts/checks.ts'

type Say = (column: BulkColumn | null, message: string) => void
const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * The things that a cell names: the whole cell if it's a name, otherwise split at semicolons, bars and line breaks, and
 * last at commas.
 */
function splitList(cell: string, isKnown: (name: string) => boolean): string[] {
  if (cell.trim() === '') return []
  if (isKnown(cell)) return [cell]
  const parts = (by: RegExp) => [
    ...new Set(
      cell
        .split(by)
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ]
  const names = parts(/[;|\n]/)
  return names.every(isKnown)
    ? names
    : names.flatMap((name) =>
        isKnown(name)
          ? [name]
          : name
              .split(',')
              .map((part) => part.trim())
              .filter(Boolean),
      )
}

/** Labels or campaigns by name, ignoring case. Missing ones are reported, never created. */
export function findNamed<T extends { name: string }>(
  column: 'labels' | 'campaign',
  cell: string,
  all: readonly T[],
  say: Say,
): T[] {
  const find = (name: string) => all.find((one) => same(one.name, name))
  const names = splitList(cell, (name) => find(name) !== undefined)
  const found = names.map((name) => {
    const one = find(name)
    if (!one)
      say(
        column,
        `There's no ${column === 'labels' ? 'label' : 'campaign'} called "${name}". Create it first, or remove it here.`,
      )
    return one
  })
  return [...new Set(found.filter((one) => one !== undefined))]
}

/** Channels by id, handle or name; `Bluesky: Harbour` names the platform. An ambiguous name is refused. */
export function findChannels(cell: string, all: readonly ChannelRow[], say: Say): ChannelRow[] {
  if (cell.trim() === '') {
    say('channel', "Enter a channel's name, handle or ID.")
    return []
  }
  const found = splitList(cell, (name) => fitting(name, all).length > 0).map((name) => one(name, all, say))
  return [...new Set(found.filter((channel) => channel !== undefined))]
}

function one(name: string, all: readonly ChannelRow[], say: Say): ChannelRow | undefined {
  const fits = fitting(name, all)
  if (fits.length === 1) return fits[0]
  if (fits.length === 0) say('channel', `There's no channel "${name}" here, or you don't have access to it.`)
  else say('channel', `Several channels are called "${name}". Use ${ways(fits)}.`)
  return undefined
}

function ways(fits: readonly ChannelRow[]): string {
  const platforms = new Set(fits.map(({ platform }) => platform))
  const words =
    platforms.size === fits.length
      ? fits.map((channel) => `${platformRules[platformOf(channel)].label}: ${channel.handle}`)
      : fits.map(({ id }) => id)
  return words.join(' or ')
}

/**
 * The channels that a name means: an id first, then handles, then names, so that a handle takes precedence over
 * another's name.
 */
function fitting(name: string, all: readonly ChannelRow[]): readonly ChannelRow[] {
  const [, platform, rest] = /^([^:]+):\s*(.+)$/.exec(name) ?? []
  const label = (channel: ChannelRow) => platformRules[platformOf(channel)].label
  const among =
    platform === undefined
      ? []
      : all.filter((channel) => same(label(channel), platform) || same(channel.platform, platform))
  if (rest !== undefined && among.length > 0) return byName(rest, among)
  const named = byName(name, all)
  // other tools' files name the platform, which is clear if it has one channel
  return named.length > 0 ? named : all.filter((channel) => isPlatform(channel, name))
}

/** By its label or key, also by a former one, or both with a slash. */
function isPlatform({ platform }: ChannelRow, name: string): boolean {
  const { key, label } = platformRules[platformOf({ platform })]
  return (
    same(label, name) || name.split('/').some((part) => PlatformKey.safeParse(part.trim().toLowerCase()).data === key)
  )
}

function byName(name: string, all: readonly ChannelRow[]): readonly ChannelRow[] {
  const bare = (handle: string) => handle.replace(/^@/, '')
  const byId = all.filter(({ id }) => same(id, name))
  if (byId.length > 0) return byId
  const byHandle = all.filter(({ handle }) => same(bare(handle), bare(name.trim())))
  return byHandle.length > 0 ? byHandle : all.filter((channel) => same(channel.name, name))
}

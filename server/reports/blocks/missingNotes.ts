import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import { missingForReaders } from '#contract/analytics/insightWords.ts'
import type { MissingChannels, MissingReason } from '#contract/analytics/overview.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { columnOf } from './figureWords.ts'

type Figure = { base: FigureBase; name: FigureKey }

/** Reasons that all channels of a platform share. */
const OF_PLATFORM: readonly MissingReason[] = ['notReported', 'countedDifferently', 'termsForbid']
/** Such channels can have figures of earlier days, which are included. */
const MAYBE_PARTLY: readonly MissingReason[] = ['disconnected']
/** So many are named; of more, only their number is said. */
const NAMED = 5

/** Which channels aren't in these figures and why, a sentence for all with the same reason. `nameOf` names a channel. */
export function missingNotes(
  missing: readonly MissingChannels[],
  figures: readonly Figure[],
  nameOf: (channelId: string) => string,
): string[] {
  const groups = new Map<string, { reason: MissingReason; of: Figure[]; who: Set<string> }>()
  for (const { platform, reason, channelIds, figures: lacking } of missing) {
    const of = figures.filter(({ base, name }) => lacking[base]?.includes(name) === true)
    if (of.length === 0) continue
    const key = `${reason} ${of.map(({ base, name }) => `${base}.${name}`).join()}`
    const group = groups.get(key) ?? { reason, of, who: new Set<string>() }
    groups.set(key, group)
    const who = OF_PLATFORM.includes(reason) ? [platformLabel(platform)] : channelIds.map(nameOf)
    for (const one of who) group.who.add(one)
  }
  return [...groups.values()].map(({ reason, of, who }) => {
    const names = of.map(({ base, name }) => columnOf(base, name, undefined)).join(', ')
    const everywhere = of.length === figures.length
    const where = MAYBE_PARTLY.includes(reason)
      ? `Missing or incomplete${everywhere ? '' : ` in ${names}`}`
      : everywhere
        ? 'Not included'
        : `Not in ${names}`
    return `${where}: ${listed([...who])}. ${missingForReaders[reason]}.`
  })
}

/** "A, B and C", or "A, B, C, D, E and 7 others". */
export function listed(names: readonly string[], most = NAMED): string {
  const shown = names.length > most + 1 ? names.slice(0, most) : names
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} others`] : shown
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
}

/** Why each channel that isn't in the figure isn't. */
export const reasonsFor = (missing: readonly MissingChannels[], { base, name }: Figure): MissingReason[] =>
  missing.flatMap(({ reason, figures }) => (figures[base]?.includes(name) === true ? [reason] : []))

import type { Excess } from '#contract/billing.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

export const excessKinds = ['projects', 'channels', 'users'] as const
export type ExcessKind = (typeof excessKinds)[number]

/** What a person chose to stay active, by kind. */
export type Kept = Readonly<Record<ExcessKind, readonly string[]>>

type Item = {
  id: string
  name: string
  note: string
  locked: boolean
  /** For a channel: its project, which pauses it, and its platform. */ projectId?: string
  platform?: PlatformKey
}

export function itemsOf(facts: Excess, kind: ExcessKind): Item[] {
  switch (kind) {
    case 'projects':
      return facts.projects.items.map(({ projectId, name, locked }) => ({ id: projectId, name, note: '', locked }))
    case 'channels':
      return facts.channels.items.map(({ channelId, name, platform, projectId, projectName, locked }) => ({
        id: channelId,
        name,
        note: `${platformName(platform)}, ${projectName}`,
        locked,
        projectId,
        platform,
      }))
    case 'users':
    default:
      return facts.users.items.map(({ userId, name, isOrgAdmin, locked }) => ({
        id: userId,
        name,
        note: isOrgAdmin ? 'Organization admin' : '',
        locked,
      }))
  }
}

/** Whether there's more of the kind than the plan allows, or on a platform with a limited number of accounts. */
export const isBeyond = (facts: Excess, kind: ExcessKind): boolean =>
  facts[kind].items.length > facts[kind].allowed ||
  (kind === 'channels' &&
    facts.channels.platforms.some(
      ({ platform, allowed }) => facts.channels.items.filter((one) => one.platform === platform).length > allowed,
    ))

/** The kinds with more than the plan allows, or with paused ones. */
export const beyondOf = (facts: Excess): ExcessKind[] =>
  excessKinds.filter((kind) => isBeyond(facts, kind) || itemsOf(facts, kind).some(({ locked }) => locked))

/** How many accounts on a channel's platform the plan allows. */
export const platformAllows = (facts: Excess, { platform }: Item): number =>
  facts.channels.platforms.find((one) => one.platform === platform)?.allowed ?? Infinity

/**
 * The initial choice: what is active now, as far as the plan allows. The person choosing stays: someone has to be able
 * to choose again.
 */
export function firstChoice(facts: Excess, me: string | undefined): Kept {
  const active = (kind: ExcessKind, isPossible: (item: Item) => boolean = () => true) =>
    itemsOf(facts, kind)
      .filter((item) => !item.locked && isPossible(item))
      .toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
      .map(({ id }) => id)
      .slice(0, facts[kind].allowed)
  const projects = active('projects')
  const taken = new Map<PlatformKey | undefined, number>()
  const isChannel = (item: Item) => {
    if (item.projectId !== undefined && !projects.includes(item.projectId)) return false
    taken.set(item.platform, (taken.get(item.platform) ?? 0) + 1)
    return (taken.get(item.platform) ?? 0) <= platformAllows(facts, item)
  }
  return { projects, channels: active('channels', isChannel), users: active('users') }
}

/** Selects or deselects an item; a project includes its channels. */
export function toggled(facts: Excess, kept: Kept, kind: ExcessKind, id: string): Kept {
  const isKept = kept[kind].includes(id)
  const next = { ...kept, [kind]: isKept ? kept[kind].filter((one) => one !== id) : [...kept[kind], id] }
  if (kind !== 'projects' || !isKept) return next
  const resting = new Set(
    facts.channels.items.filter(({ projectId }) => projectId === id).map(({ channelId }) => channelId),
  )
  return { ...next, channels: kept.channels.filter((one) => !resting.has(one)) }
}

/** Whether the channel is paused whatever is chosen for it, because its project is. */
export const restsWithProject = (kept: Kept, { projectId }: Item): boolean =>
  projectId !== undefined && !kept.projects.includes(projectId)

/** Whether the item can't be selected until another of its kind, or on its platform, is deselected. */
export function isFull(facts: Excess, kept: Kept, kind: ExcessKind, item: Item): boolean {
  if (kept[kind].length >= facts[kind].allowed) return true
  return (
    kind === 'channels' &&
    facts.channels.items.filter(
      ({ channelId, platform }) => platform === item.platform && kept.channels.includes(channelId),
    ).length >= platformAllows(facts, item)
  )
}

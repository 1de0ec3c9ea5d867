import type { Excess } from '#contract/billing.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

export const excessKinds = ['projects', 'channels', 'users'] as const
export type ExcessKind = (typeof excessKinds)[number]

/** What a person has chosen to stay active, by kind. */
export type Kept = Readonly<Record<ExcessKind, readonly string[]>>

type Item = { id: string; name: string; note: string; locked: boolean; /** Of a channel: the project that it rests with. */ projectId?: string }

export function itemsOf(facts: Excess, kind: ExcessKind): Item[] {
  switch (kind) {
    case 'projects':
      return facts.projects.items.map(({ projectId, name, locked }) => ({ id: projectId, name, note: '', locked }))
    case 'channels':
      return facts.channels.items.map(({ channelId, name, platform, projectId, projectName, locked }) => ({ id: channelId, name, note: `${platformName(platform)}, ${projectName}`, locked, projectId }))
    case 'users':
    default:
      return facts.users.items.map(({ userId, name, isOrgAdmin, locked }) => ({ id: userId, name, note: isOrgAdmin ? 'Organization admin' : '', locked }))
  }
}

/** The kinds of which there is more than the plan allows, or of which something is locked. */
export const beyondOf = (facts: Excess): ExcessKind[] => excessKinds.filter((kind) => facts[kind].items.length > facts[kind].allowed || itemsOf(facts, kind).some(({ locked }) => locked))

/** What a choice begins with: what is active now, as far as the plan goes. Whoever chooses stays: somebody has to be able to choose again. */
export function firstChoice(facts: Excess, me: string | undefined): Kept {
  const active = (kind: ExcessKind, isPossible: (item: Item) => boolean = () => true) =>
    itemsOf(facts, kind)
      .filter((item) => !item.locked && isPossible(item))
      .toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
      .map(({ id }) => id)
      .slice(0, facts[kind].allowed)
  const projects = active('projects')
  return { projects, channels: active('channels', ({ projectId }) => projectId === undefined || projects.includes(projectId)), users: active('users') }
}

/** Chooses an item, or leaves it out; a project takes its channels with it. */
export function toggled(facts: Excess, kept: Kept, kind: ExcessKind, id: string): Kept {
  const isKept = kept[kind].includes(id)
  const next = { ...kept, [kind]: isKept ? kept[kind].filter((one) => one !== id) : [...kept[kind], id] }
  if (kind !== 'projects' || !isKept) return next
  const resting = new Set(facts.channels.items.filter(({ projectId }) => projectId === id).map(({ channelId }) => channelId))
  return { ...next, channels: kept.channels.filter((one) => !resting.has(one)) }
}

/** Whether the channel rests whatever is chosen for it, because its project does. */
export const restsWithProject = (kept: Kept, { projectId }: Item): boolean => projectId !== undefined && !kept.projects.includes(projectId)

/** Whether no more of the kind can be chosen until another is left out. */
export const isFull = (facts: Excess, kept: Kept, kind: ExcessKind): boolean => kept[kind].length >= facts[kind].allowed

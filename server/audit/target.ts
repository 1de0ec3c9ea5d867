import { z } from 'zod'
import type { Reference } from './names.ts'

/** What an entry changed to, or what it was about besides its thing: words, or something that has a name. */
export type Target = { words: string } | { reference: Reference } | null

const Facts = z.looseObject({
  roleId: z.uuid().nullish().catch(null),
  userId: z.uuid().optional().catch(undefined),
  channelId: z.string().optional().catch(undefined),
  postId: z.string().optional().catch(undefined),
  planId: z.string().optional().catch(undefined),
  platform: z.string().optional().catch(undefined),
  outcome: z.string().optional().catch(undefined),
  endpoint: z.string().optional().catch(undefined),
  changed: z.array(z.string()).optional().catch(undefined),
  rows: z.number().optional().catch(undefined),
  posts: z.number().optional().catch(undefined),
  channels: z.number().optional().catch(undefined),
  to: z
    .union([z.iso.datetime({ offset: true }), z.string()])
    .optional()
    .catch(undefined),
  after: z
    .looseObject({ isOrgAdmin: z.boolean().optional(), state: z.string().optional(), colour: z.string().optional() })
    .optional()
    .catch(undefined),
})

const plans: Record<string, string> = { free: 'Free', individual: 'Individual', team: 'Team' }

/** Names of settings as people know them. */
const settings: Record<string, string> = {
  orgName: 'Name',
  orgType: 'Account type',
  orgSize: 'Size',
  requireSecondFactor: 'Second step at login',
  altText: 'Description',
  fileName: 'Name',
  folderId: 'Folder',
  parentId: 'Folder',
  name: 'Name',
  tags: 'Tags',
}

/** Reads the value of an entry from its facts. Facts that nobody has words for are left out: the export names the entry. */
export function targetOf(entity: string, action: string, detail: unknown): Target {
  const facts = Facts.safeParse(detail).data
  if (!facts) return null
  const { after, changed, to } = facts
  if (facts.userId !== undefined) return { reference: { kind: 'member', id: facts.userId } }
  if (facts.roleId && entity !== 'role') return { reference: { kind: 'role', id: facts.roleId } }
  if (entity === 'note' && facts.postId !== undefined) return { reference: { kind: 'post', id: facts.postId } }
  if (facts.planId !== undefined) return { words: plans[facts.planId] ?? facts.planId }
  if (after?.isOrgAdmin !== undefined) return { words: after.isOrgAdmin ? 'Organization admin' : 'Member' }
  if (entity === 'post' && facts.channelId !== undefined) return { reference: { kind: 'channel', id: facts.channelId } }
  if (entity === 'post' && action === 'rescheduled' && to !== undefined) return { words: inUtc(to) }
  if (changed?.length) return { words: [...new Set(changed.map((name) => settings[name] ?? name))].join(', ') }
  if (facts.endpoint !== undefined) return { words: facts.endpoint }
  if (facts.outcome !== undefined) return { words: facts.outcome.toLowerCase() }
  if (facts.rows !== undefined) return { words: count(facts.rows, 'row') }
  if (facts.posts !== undefined) return { words: count(facts.posts, 'post') }
  if (facts.channels !== undefined) return { words: count(facts.channels, 'channel') }
  if (after?.state !== undefined) return { words: after.state.toLowerCase() }
  if (facts.platform !== undefined && entity !== 'app') return { words: facts.platform }
  return null
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

/** An instant in words that are right for every reader: with its zone. */
const inUtc = (instant: string) =>
  Number.isNaN(Date.parse(instant)) ? instant : `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`

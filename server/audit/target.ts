import { z } from 'zod'
import { api } from '#contract/api.ts'
import { fieldName, planName } from './changes.ts'
import type { Reference } from './names.ts'

/**
 * What an entry was about besides its object: text, or something that has a name. What it changed is in `changes.ts`.
 */
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
  code: z.string().optional().catch(undefined),
  linkId: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})

/** What lives on a platform, so that its name is only in the entry. */
const onPlatforms = new Set(['board', 'playlist'])

/** Calls by the name stored with refusals. */
const summaries = new Map(Object.values(api).map(({ method, path, summary }) => [`${method} ${path}`, summary]))
/** Why someone was refused, if it wasn't their role. */
const reasons: Readonly<Record<string, string>> = {
  SECOND_FACTOR_NEEDED: 'without two-factor authentication',
  ADDRESS_REFUSED: 'address not allowed',
  RATE_LIMITED: 'too many attempts',
  LIMIT_EXCEEDED: 'too many attempts',
}

/** What someone tried to do: the call's summary up to its first detail. */
function refusalOf(endpoint: string, code: string | undefined): string {
  const tried = (summaries.get(endpoint) ?? endpoint).split(/[;:(]|\. /)[0]?.trim() ?? endpoint
  const reason = reasons[code ?? '']
  return reason === undefined ? tried : `${tried} (${reason})`
}

/** Reads what an entry was about from its stored facts. Unknown facts are left out; the export names the entry. */
export function targetOf(entity: string, detail: unknown): Target {
  const facts = Facts.safeParse(detail).data
  if (!facts) return null
  const { changed } = facts
  if (facts.userId !== undefined) return { reference: { kind: 'member', id: facts.userId } }
  if (facts.linkId !== undefined) return { reference: { kind: 'approval_link', id: facts.linkId } }
  if (facts.roleId && entity !== 'role') return { reference: { kind: 'role', id: facts.roleId } }
  if (entity === 'note' && facts.postId !== undefined) return { reference: { kind: 'post', id: facts.postId } }
  if (facts.planId !== undefined) return { words: planName(facts.planId) }
  if (entity === 'post' && facts.channelId !== undefined) return { reference: { kind: 'channel', id: facts.channelId } }
  if (onPlatforms.has(entity) && facts.name !== undefined)
    return { words: [facts.name, ...new Set(changed?.map(fieldName))].join(', ') }
  if (changed?.length) return { words: [...new Set(changed.map(fieldName))].join(', ') }
  if (facts.endpoint !== undefined) return { words: refusalOf(facts.endpoint, facts.code) }
  if (facts.outcome !== undefined) return { words: facts.outcome.toLowerCase() }
  if (facts.rows !== undefined) return { words: count(facts.rows, 'row') }
  if (facts.posts !== undefined) return { words: count(facts.posts, 'post') }
  if (facts.channels !== undefined) return { words: count(facts.channels, 'channel') }
  if (facts.platform !== undefined && entity !== 'app') return { words: facts.platform }
  return null
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

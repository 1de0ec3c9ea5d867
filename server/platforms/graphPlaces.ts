import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { LookupItem } from '#contract/platforms/rules.ts'
import { graph, GraphId } from './graph.ts'
import { FACEBOOK } from './graphLogin.ts'
import { refusalOfGraph } from './graphRefusals.ts'
import type { Reach, Refusal } from './platform.ts'

/*
 * Places that Facebook and Instagram tag are Pages that have a location, found by their name (Pages API, "Search for a Page"). It
 * asks as the app, which needs the feature "Page Public Metadata Access"; without it the ID of a place's Page is typed in.
 */

const TIMEOUT_MS = 10_000
const Word = z.string().catch('')
const Place = z.object({
  id: GraphId,
  name: Word,
  location: z.object({ street: Word, city: Word, country: Word }).optional().catch(undefined),
})
const Places = z.object({ data: z.array(Place) })

/** The places of a name, most likely first; none while nothing is typed. `token` speaks where no app is registered, as with simulated accounts. */
export async function findPlaces(
  reach: Reach,
  token: string,
  { query, limit }: { query: string; limit: number },
): Promise<{ kind: 'found'; items: LookupItem[] } | Refusal> {
  const words = query.trim()
  if (words === '') return { kind: 'found', items: [] }
  const asking = reach.app ? `${reach.app.clientId}|${reach.app.clientSecret}` : token
  const found = await graph(reach, {
    base: FACEBOOK,
    path: '/pages/search',
    token: asking,
    query: { q: words, fields: 'id,name,location', limit: String(limit) },
    reply: Places,
    timeoutMs: TIMEOUT_MS,
  })
  if (found.kind === 'ok') return { kind: 'found', items: found.value.data.flatMap(itemOf).slice(0, limit) }
  const refusal = refusalOfGraph(found, { label: 'Facebook', doing: 'find-places', irreversible: false })
  // it is the app that was refused or slowed down, not the account: its sign-in is good, and its posts need not wait
  if (refusal.kind === 'retry') return { ...refusal, closesBudget: false }
  return {
    kind: 'rejected',
    reason: {
      ...because('facebook-no-place-search'),
      ...(refusal.reason.platformCode && { platformCode: refusal.reason.platformCode }),
    },
  }
}

/** A Page without a location is no place: a post cannot be tagged with it. */
function itemOf({ id, name, location }: z.infer<typeof Place>): LookupItem[] {
  if (!location) return []
  const where = [location.street, location.city, location.country].filter((part) => part !== '').join(', ')
  return [{ id, name: name || id, detail: where || null, pictureUrl: null, insert: null }]
}

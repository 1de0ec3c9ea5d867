import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { LookupItem } from '#contract/platforms/rules.ts'
import { graph, GraphId } from './graph.ts'
import { FACEBOOK } from './graphLogin.ts'
import { refusalOfGraph } from './graphRefusals.ts'
import type { Reach, Refusal } from './platform.ts'

/*
 * Places that can be tagged on Facebook and Instagram are Pages with a location, found by name (Pages API, "Search for
 * a Page"). The search uses the app's token, which needs the feature "Page Public Metadata Access"; without it, people
 * enter the ID of the place's Page.
 */

const TIMEOUT_MS = 10_000
const Word = z.string().catch('')
const Place = z.object({
  id: GraphId,
  name: Word,
  location: z.object({ street: Word, city: Word, country: Word }).optional().catch(undefined),
})
const Places = z.object({ data: z.array(Place) })

/**
 * Places with this name, most likely first; none while nothing is typed. `token` is used if no app is registered, as
 * with simulated accounts.
 */
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
  // the app was refused or limited, not the account: its sign-in works, and its posts needn't wait
  if (refusal.kind === 'retry') return { ...refusal, closesBudget: false }
  return {
    kind: 'rejected',
    reason: {
      ...because('facebook-no-place-search'),
      ...(refusal.reason.platformCode && { platformCode: refusal.reason.platformCode }),
    },
  }
}

/** A Page without a location can't be tagged as a place. */
function itemOf({ id, name, location }: z.infer<typeof Place>): LookupItem[] {
  if (!location) return []
  const where = [location.street, location.city, location.country].filter((part) => part !== '').join(', ')
  return [{ id, name: name || id, detail: where || null, pictureUrl: null, insert: null }]
}

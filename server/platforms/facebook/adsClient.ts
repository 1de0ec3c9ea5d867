import type { Doing } from '#contract/failures/calls.ts'
import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import { graph, type GraphCall, type GraphFailed } from '../graph.ts'
import { FACEBOOK } from '../graphLogin.ts'
import type { Reach, Refusal, Secret } from '../platform.ts'
import { readSecret, refusalOf, READ_TIMEOUT_MS } from './client.ts'
import { listOf } from './adSchemas.ts'
import type { FacebookSecret } from './schemas.ts'

/*
 * Calls of the Marketing API with the person's own token, which is stored only if the channel was connected as Ad
 * Manager.
 */

export const SEND_TIMEOUT_MS = 30_000
/** How many pages of a list are read: more than a person would choose from. */
const MOST_LISTS = 5

export type AdsSecret = FacebookSecret & { userToken: string }

/** The secret of a channel that was connected as Ad Manager; any other has to be reconnected that way. */
export function readAdsSecret(secret: Secret): { kind: 'secret'; value: AdsSecret } | Refusal {
  const own = readSecret(secret)
  if (own.kind !== 'secret') return own
  const { userToken } = own.value
  if (userToken !== undefined) return { kind: 'secret', value: { ...own.value, userToken } }
  return { kind: 'reconnect', reason: { ...because('ads-page-only'), platformCode: 'no-ad-manager' } }
}

/** Reads a node or an edge with the person's token. */
export const readAds = <T>(
  reach: Reach,
  { userToken }: AdsSecret,
  path: string,
  query: Record<string, string>,
  reply: z.ZodType<T>,
) => graph(reach, { base: FACEBOOK, path, token: userToken, query, reply, timeoutMs: READ_TIMEOUT_MS })
/** One call that creates or changes something, with the person's token. */
export const changeAds = <T>(
  reach: Reach,
  { userToken }: AdsSecret,
  call: Omit<GraphCall<T>, 'base' | 'token' | 'scheme' | 'timeoutMs'>,
) => graph(reach, { base: FACEBOOK, token: userToken, timeoutMs: SEND_TIMEOUT_MS, ...call })

/** A list with all its pages, up to a limit. */
export async function readAdsList<T>(
  reach: Reach,
  secret: AdsSecret,
  path: string,
  query: Record<string, string>,
  item: z.ZodType<T>,
): Promise<{ kind: 'list'; items: T[] } | GraphFailed> {
  const items: T[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_LISTS; page++) {
    const read = await readAds(
      reach,
      secret,
      path,
      { ...query, limit: '100', ...(after !== undefined && { after }) },
      listOf(item),
    )
    if (read.kind !== 'ok') return read
    items.push(...read.value.data)
    after = read.value.paging?.next === undefined ? undefined : read.value.paging.cursors?.after
    if (after === undefined) break
  }
  return { kind: 'list', items }
}

/** The class of a failure, with advice for ads: what people can fix is in the ad account, not in the post. */
export function refusalOfAds(failed: GraphFailed, doing: Doing, irreversible = false): Refusal {
  const refusal = refusalOf(failed, doing, irreversible)
  const { reason } = refusal
  if (refusal.kind === 'reconnect')
    return { ...refusal, reason: { ...reason, ...because('ads-sign-in-ended', { because: reason }) } }
  if (refusal.kind !== 'rejected' || failed.cause !== 'answered') return refusal
  const isRight = failed.code === 10 || (failed.code >= 200 && failed.code <= 299)
  const code = isRight ? 'ads-permission-missing' : 'ads-refused'
  return { kind: 'rejected', reason: { ...reason, ...because(code, { because: reason }) } }
}

import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { rest, type RestAnswered, type RestCall, type RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { withSecretOf } from '../secretReader.ts'
import { retryAfter, secondsUntil } from '../wire.ts'
import { PinterestSecret } from './schemas.ts'

/** Apps with trial access create Pins in the sandbox only (developers.pinterest.com/docs/developer-tools/sandbox). */
export const baseOf = (sandbox: boolean): string => `https://api${sandbox ? '-sandbox' : ''}.pinterest.com/v5`
export const READ_TIMEOUT_MS = 10_000
/** The maximum per page. */
const PAGE = '250'

type Called<T> = { kind: 'ok'; value: T } | RestFailed

/** Calls the API for an account and parses its response. Never throws. */
export const call = <T>(
  reach: Reach,
  { accessToken: token, sandbox }: PinterestSecret,
  {
    path,
    timeoutMs = READ_TIMEOUT_MS,
    ...asked
  }: Pick<RestCall<T>, 'method' | 'query' | 'json' | 'reply'> & { path: string; timeoutMs?: number },
): Promise<Called<T>> => rest(reach, { url: `${baseOf(sandbox)}${path}`, token, timeoutMs, ...asked })

type Page<T> = { items: T[]; bookmark: string | null }

/** The page of a list at a bookmark, or the first one; `bookmark` is that of the next page, null on the last. */
export async function pageOf<T>(
  reach: Reach,
  secret: PinterestSecret,
  path: string,
  item: z.ZodType<T>,
  bookmark: string | null,
): Promise<Called<Page<T>>> {
  const reply = z.object({
    items: z.array(item),
    bookmark: z
      .string()
      .nullable()
      .catch(null)
      .transform((next) => next || null),
  })
  return await call(reach, secret, { path, query: { page_size: PAGE, bookmark: bookmark ?? undefined }, reply })
}

/**
 * Items of a list from its beginning, page by page (`bookmark`), until there are no more (`whole`), `enough` returns
 * true, or `most` pages were read.
 */
export async function listed<T>(
  reach: Reach,
  secret: PinterestSecret,
  path: string,
  item: z.ZodType<T>,
  most: number,
  enough: (items: readonly T[]) => boolean = () => false,
): Promise<{ kind: 'ok'; value: T[]; whole: boolean } | RestFailed> {
  const items: T[] = []
  let next: string | null = null
  for (let page = 0; page < most; page++) {
    const list: Called<Page<T>> = await pageOf(reach, secret, path, item, next)
    if (list.kind !== 'ok') return list
    items.push(...list.value.items)
    next = list.value.bookmark
    if (next === null) return { kind: 'ok', value: items, whole: true }
    if (enough(items)) break
  }
  return { kind: 'ok', value: items, whole: false }
}

const Problem = z.object({ code: z.coerce.number().int(), message: z.string().catch('') })
/** The API's own error; undefined if the response isn't in its format. */
export const problemIn = ({ json }: RestAnswered): z.infer<typeof Problem> | undefined => Problem.safeParse(json).data

/**
 * How long the platform asks to wait: in seconds, or until a time in seconds since 1970 (rate limits:
 * x-ratelimit-reset).
 */
export function waitOf({ headers }: RestAnswered): number | undefined {
  const reset = headers['x-ratelimit-reset'] ?? ''
  const isMoment = Number(reset) > 1_000_000_000
  return retryAfter(headers) ?? (isMoment ? secondsUntil(reset, headers) : retryAfter({ 'retry-after': reset }))
}

/** The requested object doesn't exist, or no longer does. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && failed.status === 404 && problemIn(failed) !== undefined

const leftSandbox: Refusal = {
  kind: 'reconnect',
  reason: { ...because('pinterest-sandbox-left'), platformCode: 'sandbox-left' },
}

/**
 * Calls a step with the channel's own secret. A channel of the sandbox has to be reconnected once its app has left the
 * sandbox.
 */
export const withSecret = <Rest extends unknown[], Answer>(
  step: (reach: Reach, own: PinterestSecret, ...rest: Rest) => Promise<Answer>,
) =>
  withSecretOf(PinterestSecret)(async (reach, own: PinterestSecret, ...rest: Rest): Promise<Answer | Refusal> =>
    own.sandbox && reach.app && !reach.app.sandbox ? leftSandbox : await step(reach, own, ...rest),
  )

import { because } from '#contract/failures/catalog.ts'
import { rest, troubleOf, type RestFailed } from '../jsonCalls.ts'
import type { AppCredentials, InstanceApps, Reach, Refusal } from '../platform.ts'
import { retryAfter } from '../wire.ts'
import { AppToken, OAuthProblem, RegisteredApp } from './schemas.ts'

/** Shown as the source of a status. */
export const APP_NAME = 'Rookery'

/*
 * The app that people sign in with at one server. Servers forget apps: a person removes it, or no token of it exists
 * for a day (mastodon/mastodon, Vacuum::ApplicationsVacuum). A forgotten app leads the browser to an error page, so a
 * stored one is checked first.
 */

/** What a server needs to notify us of what is written (Web Push). Without it everything is read all the same, only later. */
export const PUSH_SCOPE = 'push'
/**
 * Scopes that every version knows: accounts, for the profile and mentions; statuses, to publish and read back;
 * notifications and favorites, for the inbox.
 */
export const NEEDED_SCOPES = [
  'read:accounts',
  'read:statuses',
  'read:notifications',
  'write:statuses',
  'write:media',
  'write:favourites',
]
export const SCOPES = [...NEEDED_SCOPES, PUSH_SCOPE]
const TIMEOUT_MS = 20_000
const CHECK_TIMEOUT_MS = 10_000

/** Finds or registers a server's app. Sign-ins that begin at the same time share one check. */
export function appsAt(apps: InstanceApps | undefined) {
  const underWay = new Map<string, Promise<AppCredentials | Refusal>>()
  return async (given: Reach, origin: string, redirectUri: string): Promise<AppCredentials | Refusal> => {
    const known = underWay.get(origin)
    if (known) return await known
    // one person leaving mustn't cancel it for others: each call has its own time limit
    const reach = { ...given, signal: new AbortController().signal }
    const look = appFor(apps, reach, origin, redirectUri).finally(() => underWay.delete(origin))
    underWay.set(origin, look)
    return await look
  }
}

async function appFor(
  apps: InstanceApps | undefined,
  reach: Reach,
  origin: string,
  redirectUri: string,
): Promise<AppCredentials | Refusal> {
  const kept = await apps?.find(origin)
  if (kept?.isFresh) return kept.app
  const state = kept && (await check(reach, origin, kept.app))
  if (kept && state === 'known') {
    await apps?.confirm(origin, kept.app)
    return kept.app
  }
  // a server that doesn't say whether it knows an app gets a new one at most once a day
  if (kept && state === 'untold' && kept.isRecent) return kept.app
  if (typeof state === 'object') return state
  if (kept) await apps?.forget(origin, kept.app)
  const made = await register(reach, origin, redirectUri)
  return 'kind' in made ? made : ((await apps?.keep(origin, made)) ?? made)
}

/**
 * Whether the server knows the app with these scopes: only then does it issue an app token (docs.joinmastodon.org,
 * methods/oauth).
 */
async function check(
  reach: Reach,
  origin: string,
  { clientId, clientSecret }: AppCredentials,
): Promise<'known' | 'forgotten' | 'untold' | Refusal> {
  const asked = await rest(reach, {
    url: `${origin}/oauth/token`,
    method: 'POST',
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      // an app that was registered before a scope was needed can't ask for it
      scope: SCOPES.join(' '),
    },
    reply: AppToken,
    timeoutMs: CHECK_TIMEOUT_MS,
  })
  if (asked.kind === 'ok') return 'known'
  const unavailable = unavailableAs(asked, origin)
  if (unavailable) return unavailable
  const error = asked.cause === 'answered' ? OAuthProblem.parse(asked.json).error : ''
  return error === 'invalid_client' || error === 'invalid_scope' ? 'forgotten' : 'untold'
}

/**
 * Undefined if the response says something about the app; a server that doesn't respond, or limits us, says nothing.
 */
function unavailableAs(failed: RestFailed, origin: string): Refusal | undefined {
  const { host } = new URL(origin)
  if (failed.cause === 'unsent' && failed.addressRefused)
    return troubleOf(failed, host, { doing: 'register-app', irreversible: false })
  const isAway =
    failed.cause === 'unsent' ||
    (failed.cause === 'lost' && !failed.detail.startsWith('redirect')) ||
    (failed.cause === 'answered' && failed.status >= 500)
  if (isAway)
    return {
      kind: 'retry',
      reason: {
        ...because('server-not-answering', { host }),
        platformCode: failed.cause === 'answered' ? String(failed.status) : 'unreachable',
      },
    }
  if (failed.cause !== 'answered' || failed.status !== 429) return undefined
  const minutes = Math.ceil((retryAfter(failed.headers) ?? 600) / 60)
  return {
    kind: 'retry',
    afterSeconds: minutes * 60,
    reason: { ...because('server-limits-sign-ups', { host, minutes }), platformCode: '429' },
  }
}

async function register(reach: Reach, origin: string, redirectUri: string): Promise<AppCredentials | Refusal> {
  const { host } = new URL(origin)
  const made = await rest(reach, {
    url: `${origin}/api/v1/apps`,
    method: 'POST',
    json: {
      client_name: APP_NAME,
      redirect_uris: redirectUri,
      scopes: SCOPES.join(' '),
      website: new URL(redirectUri).origin,
    },
    reply: RegisteredApp,
    timeoutMs: TIMEOUT_MS,
  })
  if (made.kind === 'ok') return { clientId: made.value.client_id, clientSecret: made.value.client_secret }
  const unavailable = unavailableAs(made, origin)
  if (unavailable) return unavailable
  const noMastodon = made.cause !== 'answered' || [400, 404, 405, 410].includes(made.status)
  return {
    kind: 'rejected',
    reason: noMastodon
      ? { ...because('mastodon-no-server', { host }), platformCode: 'no-server' }
      : { ...because('mastodon-no-new-apps', { host }), platformCode: String(made.status) },
  }
}

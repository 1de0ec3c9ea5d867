import { z } from 'zod'
import { finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from '../oauth2.ts'
import type {
  AppCredentials,
  Connect,
  ConnectByPage,
  InstanceApps,
  Reach,
  Refusal,
  RenewAnswer,
  SignInAnswer,
} from '../platform.ts'
import { rest } from '../jsonCalls.ts'
import { call, refused, withSecret } from './client.ts'
import { readInstance, toldNothing } from './instance.ts'
import { refusalOf } from './refusals.ts'
import { Credentials, RegisteredApp, type MastodonSecret } from './schemas.ts'

/** Rights that every version knows: accounts, for who it is and whom a text mentions; statuses, read to settle and to read back. */
const SCOPES = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']
const LABEL = 'Mastodon'
const TIMEOUT_MS = 20_000

/** PKCE since 4.3; earlier versions pass over what they do not know. */
const serverAt = (origin: string): OAuthServer => ({
  issuer: `${origin}/`,
  authorize: `${origin}/oauth/authorize`,
  token: `${origin}/oauth/token`,
  pkce: true,
})

const noServer: Refusal = {
  kind: 'rejected',
  reason: {
    text: 'This is not the name of a server.',
    advice: 'Enter the part after the last @ of your address, such as mastodon.social.',
    platformCode: 'bad-address',
  },
}

/** The origin of what people type: a name, an address of the account, or one of a page there. */
export function originOf(typed: string): string | undefined {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '')
  return /^[^\s.]+(\.[^\s.]+)+$/.test(name) && URL.canParse(`https://${name}`)
    ? new URL(`https://${name}`).origin
    : undefined
}

/** What is kept of a sign-in. It is sealed, so that the app of this server may stand in it. */
const Keep = z.object({
  origin: z.url(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }),
  page: z.record(z.string(), z.unknown()),
})

/**
 * Registers an app where none is kept. It is kept only once somebody has signed in with it: servers sweep out apps that nobody
 * uses, and one that is swept out ends on an error page from which nobody comes back.
 */
const beginWith =
  (apps: InstanceApps | undefined): ConnectByPage['begin'] =>
  async (reach, { domain = '', ...ask }) => {
    const origin = originOf(domain)
    if (!origin) return noServer
    const app = (await apps?.find(origin)) ?? (await register(reach, origin, ask.redirectUri))
    if ('kind' in app) return app
    // without it, a browser that is signed in and knows this app is sent back at once: nobody could choose another account
    const begun = await startSignIn(serverAt(origin), { ...reach, app }, ask, SCOPES, {
      extra: { force_login: 'true' },
    })
    return begun.kind === 'begun'
      ? { ...begun, keep: { origin, app, page: begun.keep } satisfies z.infer<typeof Keep> }
      : begun
  }

async function register(reach: Reach, origin: string, redirectUri: string): Promise<AppCredentials | Refusal> {
  const { host } = new URL(origin)
  const made = await rest(reach, {
    url: `${origin}/api/v1/apps`,
    method: 'POST',
    json: {
      client_name: 'Rookery',
      redirect_uris: redirectUri,
      scopes: SCOPES.join(' '),
      website: new URL(redirectUri).origin,
    },
    reply: RegisteredApp,
    timeoutMs: TIMEOUT_MS,
  })
  if (made.kind === 'ok') return { clientId: made.value.client_id, clientSecret: made.value.client_secret }
  const noMastodon =
    made.cause === 'garbled' ||
    (made.cause === 'answered' && [400, 404, 405, 410].includes(made.status)) ||
    (made.cause === 'lost' && made.detail.startsWith('redirect'))
  if (noMastodon)
    return {
      kind: 'rejected',
      reason: {
        text: `No Mastodon server answers at ${host}.`,
        advice: 'Enter the server that you sign in at, such as mastodon.social.',
        platformCode: 'no-server',
      },
    }
  return refusalOf(made, { host, doing: 'take our registration', irreversible: false })
}

const answerWith =
  (apps: InstanceApps | undefined): ConnectByPage['answer'] =>
  async (reach, kept, params) => {
    const keep = Keep.safeParse(kept)
    if (!keep.success)
      return {
        kind: 'rejected',
        reason: {
          text: 'What was kept of this connection cannot be used any more.',
          advice: 'Start it again.',
          platformCode: 'lost-flow',
        },
      }
    const { origin, app, page } = keep.data
    const signedIn = await finishSignIn(serverAt(origin), { ...reach, app }, page, params)
    if (signedIn.kind === 'failed') {
      // the server has forgotten the app: the next sign-in registers another one
      if (/client/.test(signedIn.code)) await apps?.forget(origin)
      return refusalOfSignIn(signedIn, LABEL)
    }
    if (signedIn.kind !== 'tokens') return signedIn
    const { accessToken, scopes } = signedIn.tokens
    const whole = await whoIs(reach, {
      accessToken,
      origin,
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      scopes: scopes ?? SCOPES,
    })
    if (whole.kind === 'accounts') await apps?.keep(origin, app)
    return whole
  }

const whose = (reach: Reach, secret: Pick<MastodonSecret, 'accessToken' | 'origin'>) =>
  call(reach, secret, { path: '/api/v1/accounts/verify_credentials', reply: Credentials })

async function whoIs(
  reach: Reach,
  base: Pick<MastodonSecret, 'accessToken' | 'origin' | 'clientId' | 'clientSecret' | 'scopes'>,
): Promise<SignInAnswer> {
  const { host } = new URL(base.origin)
  const me = await whose(reach, base)
  if (me.kind !== 'ok') return refusalOf(me, { host, doing: 'say whose account it is', irreversible: false })
  // a server that does not tell its limits is asked again when a post comes near them
  const { domain, limits, taken } = (await readInstance(reach, base.origin)) ?? toldNothing
  const { id: userId, username, display_name: name, avatar: pictureUrl } = me.value
  const secret: MastodonSecret = { ...base, userId, username, domain: domain ?? host, limits }
  const missing = SCOPES.filter((scope) => !isGranted(scope, base.scopes))
  // ids count from 1 on every server
  const account = {
    remoteId: `${userId}@${host}`,
    name: name || username,
    handle: `@${username}@${secret.domain}`,
    pictureUrl,
    service: base.origin,
  }
  return {
    kind: 'accounts',
    accounts: [
      { account, secret, expiresAt: null, kind: 'Account', limits: taken, ...(missing.length > 0 && { missing }) },
    ],
  }
}

/** `write` includes `write:statuses`. */
const isGranted = (scope: string, granted: readonly string[]): boolean =>
  granted.includes(scope) || granted.includes(scope.replace(/:.*$/, ''))

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await whose(reach, own)
  if (me.kind !== 'ok') return refused(me, own, 'say whose account it is')
  // what the server takes may have been changed; one that does not say it now takes what it took
  const instance = await readInstance(reach, own.origin)
  return { kind: 'works', endsAt: null, ...(instance && { limits: instance.taken }) }
})

/** Tokens do not run out and cannot be renewed (docs.joinmastodon.org, api/oauth-tokens). One that works after all stays. */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  const me = await whose(reach, own)
  return me.kind === 'ok'
    ? { kind: 'refreshed', secret: own, expiresAt: null }
    : refused(me, own, 'say whose account it is')
})

/**
 * Signing in at any server, with the apps that this installation registered there. There is no `revoke`: a server gives one
 * app and one account the same token each time (`reuse_access_token` in its config/initializers/doorkeeper.rb), so that
 * ending it would sign out the account's channels in other projects and organisations, too.
 */
export const connectWith = (apps: InstanceApps | undefined): Connect => ({
  method: 'oauth',
  withPage: { begin: beginWith(apps), answer: answerWith(apps) },
  check,
  refresh,
  needsRefresh: () => false,
})

import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from '../oauth2.ts'
import type { Connect, ConnectByPage, InstanceApps, Reach, Refusal, RenewAnswer, SignInAnswer } from '../platform.ts'
import { appsAt, NEEDED_SCOPES, SCOPES } from './app.ts'
import { call, refused, withSecret } from './client.ts'
import { readInstance, toldNothing } from './instance.ts'
import { refusalOf } from './refusals.ts'
import { Credentials, type MastodonSecret } from './schemas.ts'

const LABEL = 'Mastodon'

/** PKCE since version 4.3; earlier versions ignore unknown parameters. */
const serverAt = (origin: string): OAuthServer => ({
  issuer: `${origin}/`,
  authorize: `${origin}/oauth/authorize`,
  token: `${origin}/oauth/token`,
  pkce: true,
})

const noServer: Refusal = {
  kind: 'rejected',
  reason: { ...because('mastodon-bad-address'), platformCode: 'bad-address' },
}

/** The origin of what people type: a host name, an account's handle, or the URL of a page there. */
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

/** What is stored during a sign-in. It's encrypted, so it can contain the server's app. */
const Keep = z.object({
  origin: z.url(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }),
  page: z.record(z.string(), z.unknown()),
})

const beginWith = (apps: InstanceApps | undefined): ConnectByPage['begin'] => {
  const appAt = appsAt(apps)
  return async (reach, { domain = '', ...ask }) => {
    const origin = originOf(domain)
    if (!origin) return noServer
    const app = await appAt(reach, origin, ask.redirectUri)
    if ('kind' in app) return app
    // otherwise a browser that is signed in and has approved this app would return at once, without a chance to choose
    // another account
    const begun = await startSignIn(serverAt(origin), { ...reach, app }, ask, SCOPES, {
      extra: { force_login: 'true' },
    })
    return begun.kind === 'begun'
      ? { ...begun, keep: { origin, app, page: begun.keep } satisfies z.infer<typeof Keep> }
      : begun
  }
}

const answerWith =
  (apps: InstanceApps | undefined): ConnectByPage['answer'] =>
  async (reach, kept, params) => {
    const keep = Keep.safeParse(kept)
    if (!keep.success)
      return { kind: 'rejected', reason: { ...because('connection-outdated'), platformCode: 'lost-flow' } }
    const { origin, app, page } = keep.data
    const signedIn = await finishSignIn(serverAt(origin), { ...reach, app }, page, params)
    if (signedIn.kind === 'failed') {
      // the server has forgotten the app: the next sign-in registers another one
      if (/client/.test(signedIn.code)) await apps?.forget(origin, app)
      return refusalOfSignIn(signedIn, LABEL)
    }
    if (signedIn.kind !== 'tokens') return signedIn
    const { accessToken, scopes } = signedIn.tokens
    return await whoIs(reach, {
      accessToken,
      origin,
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      scopes: scopes ?? SCOPES,
    })
  }

const whose = (reach: Reach, secret: Pick<MastodonSecret, 'accessToken' | 'origin'>) =>
  call(reach, secret, { path: '/api/v1/accounts/verify_credentials', reply: Credentials })

async function whoIs(
  reach: Reach,
  base: Pick<MastodonSecret, 'accessToken' | 'origin' | 'clientId' | 'clientSecret' | 'scopes'>,
): Promise<SignInAnswer> {
  const { host } = new URL(base.origin)
  const me = await whose(reach, base)
  if (me.kind !== 'ok') return refusalOf(me, { host, doing: 'identify-account', irreversible: false })
  // if a server doesn't publish its limits, it's asked again when a post comes close to them
  const { domain, limits, taken } = (await readInstance(reach, base.origin)) ?? toldNothing
  const { id: userId, username, display_name: name, avatar: pictureUrl } = me.value
  const secret: MastodonSecret = { ...base, userId, username, domain: domain ?? host, limits }
  const missing = NEEDED_SCOPES.filter((scope) => !isGranted(scope, base.scopes))
  // IDs start at 1 on every server
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
  if (me.kind !== 'ok') return refused(me, own, 'identify-account')
  // the server may accept other content by now; if it doesn't say so, its earlier limits stay
  const instance = await readInstance(reach, own.origin)
  return { kind: 'works', endsAt: null, pictureUrl: me.value.avatar, ...(instance && { limits: instance.taken }) }
})

/**
 * Tokens don't expire and can't be renewed (docs.joinmastodon.org, api/oauth-tokens). One that works after all stays.
 */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  const me = await whose(reach, own)
  return me.kind === 'ok' ? { kind: 'refreshed', secret: own, expiresAt: null } : refused(me, own, 'identify-account')
})

/**
 * Sign-in at any server, with the apps that this installation registered there. There is no `revoke`: a server gives
 * one app and account the same token each time (`reuse_access_token` in its config/initializers/doorkeeper.rb), so
 * ending it would sign out the account's channels in other projects and organizations too.
 */
export const connectWith = (apps: InstanceApps | undefined): Connect => ({
  method: 'oauth',
  withPage: { begin: beginWith(apps), answer: answerWith(apps) },
  check,
  refresh,
  needsRefresh: () => false,
})

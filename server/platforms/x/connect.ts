import type { ChannelLimits } from '#contract/platforms/limits.ts'
import { x as rules } from '#contract/platforms/x.ts'
import { rest } from '../jsonCalls.ts'
import {
  endOf,
  finishSignIn,
  notSetUp,
  refusalOfSignIn,
  renewBefore,
  renewSecret,
  startSignIn,
  type OAuthServer,
} from '../oauth2.ts'
import type { Connect, ConnectByPage, SignInAnswer } from '../platform.ts'
import { call, readSecret, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { Anything, Me, type XSecret } from './schemas.ts'

// docs.x.com, fundamentals/authentication/oauth-2-0/authorization-code: confidential clients use HTTP Basic
const SERVER: OAuthServer = {
  issuer: 'https://x.com',
  authorize: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  pkce: true,
  clientAuth: 'basic',
}
const REVOKE = 'https://api.x.com/2/oauth2/revoke'
const SCOPES = rules.app?.scopes ?? []
const TIMEOUT_MS = 20_000
/** An access token is valid for two hours; uploading a large video takes less than this. */
const RENEW_BEFORE_MS = 20 * 60_000
/** Fields that say whether the account may publish long posts (docs.x.com, data dictionary of users). */
const VERIFIED = 'verified,verified_type,subscription_type'
const SUBSCRIPTIONS = ['Basic', 'Premium', 'PremiumPlus']
const asking = { doing: 'identify-account', irreversible: false } as const

/** Long posts are for accounts that are verified or subscribed; empty if X doesn't say either. */
function limitsIn({ data: { verified, verified_type: type, subscription_type: subscription } }: Me): {
  limits?: ChannelLimits
} {
  if (verified === null && type === null && subscription === null) return {}
  return {
    limits: {
      verified: verified === true || (type !== null && type !== 'none') || SUBSCRIPTIONS.includes(subscription ?? ''),
    },
  }
}

const begin: ConnectByPage['begin'] = async (reach, ask) => await startSignIn(SERVER, reach, ask, SCOPES)

const answer: ConnectByPage['answer'] = async (reach, keep, params): Promise<SignInAnswer> => {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const me = await call(reach, tokens, {
    path: '/2/users/me',
    query: { 'user.fields': `profile_image_url,${VERIFIED}` },
    reply: Me,
  })
  if (me.kind !== 'ok') return refusalOf(me, asking)
  const { id, name, username, profile_image_url: pictureUrl } = me.value.data
  const scopes = tokens.scopes ?? [...SCOPES]
  const secret: XSecret = {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    userId: id,
    clientId: app.clientId,
    scopes,
  }
  const missing = SCOPES.filter((scope) => !scopes.includes(scope))
  const account = { remoteId: id, name: name || username, handle: `@${username}`, pictureUrl, service: null }
  return {
    kind: 'accounts',
    accounts: [
      {
        account,
        secret,
        expiresAt: endOf(tokens.answeredAt, tokens.expiresIn),
        kind: 'Account',
        ...limitsIn(me.value),
        ...(missing.length > 0 && { missing }),
      },
    ],
  }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await call(reach, own, {
    path: '/2/users/me',
    query: { 'user.fields': `profile_image_url,${VERIFIED}` },
    reply: Me,
  })
  return me.kind === 'ok'
    ? { kind: 'works', endsAt: null, pictureUrl: me.value.data.profile_image_url, ...limitsIn(me.value) }
    : refusalOf(me, asking)
})

/** Uses the refresh token: the response has its successor, so a lost response may end the sign-in. */
const refresh: Connect['refresh'] = withSecret(async (reach, own) => await renewSecret(SERVER, reach, own, LABEL))

const needsRefresh = renewBefore(RENEW_BEFORE_MS)

/**
 * Ends this sign-in: first the refresh token, then the access token. X responds with success for tokens that have
 * already ended.
 */
const revoke: Connect['revoke'] = async (reach, secret) => {
  const own = readSecret(secret)
  if (own.kind !== 'secret') return { kind: 'revoked' }
  const { app } = reach
  if (!app) return notSetUp
  const authorization = `Basic ${Buffer.from(`${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`).toString('base64')}`
  for (const token of [own.value.refreshToken, own.value.accessToken]) {
    if (token === null) continue
    const ended = await rest(reach, {
      url: REVOKE,
      method: 'POST',
      headers: { authorization },
      form: { token, client_id: app.clientId },
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    const isOver = ended.kind === 'failed' && ended.cause === 'answered' && [400, 401, 403, 404].includes(ended.status)
    if (ended.kind === 'failed' && !isOver) return refusalOf(ended, { doing: 'end-sign-in', irreversible: false })
  }
  return { kind: 'revoked' }
}

export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh, revoke }

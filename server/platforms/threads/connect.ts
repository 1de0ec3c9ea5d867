import { graph } from '../graph.ts'
import { refusalOfGraph } from '../graphRefusals.ts'
import { endOf, finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from '../oauth2.ts'
import type { Connect, ConnectByPage, Reach, Refusal, RenewAnswer, SignInAnswer } from '../platform.ts'
import { threads as rules } from '#contract/platforms/threads.ts'
import { dateOf } from '../wire.ts'
import { HOST, read, readSecret, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { LongToken, Profile, type ThreadsSecret } from './schemas.ts'

const SERVER: OAuthServer = { issuer: 'https://threads.net', authorize: 'https://threads.net/oauth/authorize', token: `${HOST}/oauth/access_token`, pkce: false, scopeSeparator: ',' }
const TOKEN_TIMEOUT_MS = 20_000
const DAY_MS = 86_400_000
/** A token lives 60 days; half of them are left for a channel that is seldom used, and for our own trouble. */
const RENEW_BEFORE_MS = 30 * DAY_MS

const begin: ConnectByPage['begin'] = async (reach, ask) => await startSignIn(SERVER, reach, ask, rules.app?.scopes ?? [])

/** The code brings a token for an hour, which is changed for one of 60 days at once. */
const answer: ConnectByPage['answer'] = async (reach, keep, params) => {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const long = await graph(reach, { base: HOST, path: '/access_token', query: { grant_type: 'th_exchange_token', client_secret: app.clientSecret, access_token: tokens.accessToken }, reply: LongToken, timeoutMs: TOKEN_TIMEOUT_MS })
  if (long.kind !== 'ok') return refusalOfGraph(long, { label: LABEL, doing: 'finish the sign-in', irreversible: false })
  const issuedAt = dateOf(long.headers)
  const secret: ThreadsSecret = { accessToken: long.value.access_token, userId: 'me', issuedAt: issuedAt?.toISOString() ?? null, clientId: app.clientId, scopes: [...(rules.app?.scopes ?? [])] }
  return await whoIs(reach, secret, endOf(issuedAt, long.value.expires_in))
}

async function whoIs(reach: Reach, secret: ThreadsSecret, expiresAt: Date | null): Promise<SignInAnswer> {
  const me = await read(reach, secret, '/me', 'id,username,name,threads_profile_picture_url', Profile)
  if (me.kind !== 'ok') return refusalOf(me, { doing: 'say whose account it is', irreversible: false })
  const { id, username, name, threads_profile_picture_url: pictureUrl } = me.value
  const account = { remoteId: id, name: name || username || id, handle: `@${username || id}`, pictureUrl, service: null }
  return { kind: 'accounts', accounts: [{ account, secret: { ...secret, userId: id }, expiresAt, kind: 'Profile' }] }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await read(reach, own, '/me', 'id', Profile)
  return me.kind === 'ok' ? { kind: 'works', endsAt: null } : refusalOf(me, { doing: 'say whose account it is', irreversible: false })
})

/** The token renews itself; nothing else is spent, so that a lost answer costs nothing. */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  const renewed = await graph(reach, { base: HOST, path: '/refresh_access_token', query: { grant_type: 'th_refresh_token', access_token: own.accessToken }, reply: LongToken, timeoutMs: TOKEN_TIMEOUT_MS })
  if (renewed.kind !== 'ok') return deadOr(refusalOfGraph(renewed, { label: LABEL, doing: 'renew our sign-in', irreversible: false }))
  const issuedAt = dateOf(renewed.headers)
  return { kind: 'refreshed', secret: { ...own, accessToken: renewed.value.access_token, issuedAt: issuedAt?.toISOString() ?? null }, expiresAt: endOf(issuedAt, renewed.value.expires_in) }
})

/** What the platform will not renew, a person has to: nothing about a renewal could be changed. */
const deadOr = (refusal: Refusal): Refusal => (refusal.kind === 'rejected' ? { kind: 'reconnect', reason: { ...refusal.reason, advice: 'Reconnect the channel.' } } : refusal)

/** Only a token of a day or more is renewed (Threads, long-lived tokens). */
const needsRefresh: Connect['needsRefresh'] = (secret, expiresAt, now) => {
  const own = readSecret(secret)
  if (own.kind !== 'secret' || expiresAt === null) return false
  const { issuedAt } = own.value
  const isOldEnough = issuedAt === null || now.getTime() - new Date(issuedAt).getTime() >= DAY_MS
  return isOldEnough && expiresAt.getTime() - now.getTime() < RENEW_BEFORE_MS
}

/** The API has no call that ends a sign-in: a person removes the app in the settings of Threads. */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

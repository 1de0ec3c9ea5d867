import { longToken, renewLongToken, shouldRenew } from '../graphTokens.ts'
import { finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from '../oauth2.ts'
import type { Connect, ConnectByPage, Reach, SignInAnswer } from '../platform.ts'
import { threads as rules } from '#contract/platforms/threads.ts'
import { HOST, read, readSecret, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { Profile, type ThreadsSecret } from './schemas.ts'

const SERVER: OAuthServer = {
  issuer: 'https://threads.net',
  authorize: 'https://threads.net/oauth/authorize',
  token: `${HOST}/oauth/access_token`,
  pkce: false,
  scopeSeparator: ',',
}

const begin: ConnectByPage['begin'] = async (reach, ask) =>
  await startSignIn(SERVER, reach, ask, rules.app?.scopes ?? [])

/** The code gives a token for an hour, which is exchanged at once for one of 60 days. */
const answer: ConnectByPage['answer'] = async (reach, keep, params) => {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const long = await longToken(reach, {
    base: HOST,
    path: '/access_token',
    query: { grant_type: 'th_exchange_token', client_secret: app.clientSecret, access_token: tokens.accessToken },
    label: LABEL,
  })
  if (long.kind !== 'token') return long
  const secret: ThreadsSecret = {
    ...long.token,
    userId: 'me',
    clientId: app.clientId,
    scopes: [...(rules.app?.scopes ?? [])],
  }
  return await whoIs(reach, secret, long.expiresAt)
}

async function whoIs(reach: Reach, secret: ThreadsSecret, expiresAt: Date | null): Promise<SignInAnswer> {
  const me = await read(reach, secret, '/me', 'id,username,name,threads_profile_picture_url', Profile)
  if (me.kind !== 'ok') return refusalOf(me, { doing: 'identify-account', irreversible: false })
  const { id, username, name, threads_profile_picture_url: pictureUrl } = me.value
  const account = {
    remoteId: id,
    name: name || username || id,
    handle: `@${username || id}`,
    pictureUrl,
    service: null,
  }
  return { kind: 'accounts', accounts: [{ account, secret: { ...secret, userId: id }, expiresAt, kind: 'Profile' }] }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await read(reach, own, '/me', 'id,threads_profile_picture_url', Profile)
  return me.kind === 'ok'
    ? { kind: 'works', endsAt: null, pictureUrl: me.value.threads_profile_picture_url }
    : refusalOf(me, { doing: 'identify-account', irreversible: false })
})

const refresh: Connect['refresh'] = withSecret(
  async (reach, own) => await renewLongToken(reach, own, { base: HOST, grant: 'th_refresh_token', label: LABEL }),
)

const needsRefresh: Connect['needsRefresh'] = (secret, expiresAt, now) => {
  const own = readSecret(secret)
  return own.kind === 'secret' && expiresAt !== null && shouldRenew(own.value, expiresAt, now)
}

/** The API has no call that ends a sign-in: people remove the app in Threads's settings. */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

import { because, type Reason } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { ClientKey, Connect, Reach, Refusal, RenewAnswer } from '../platform.ts'
import { accountOf, claimsOf, expiryOf, inactive, profileOf } from './account.ts'
import { clientAt, type OAuthClient } from './client.ts'
import { originOf, serverIn, serverOf } from './directory.ts'
import { endsAtOf, pageOf, refreshByPage, revokeByPage } from './oauth.ts'
import { refusalOf, rejected } from './refusals.ts'
import { Anything, CurrentSession, Session, type PasswordSecret } from './schemas.ts'
import { readSecret, tokenOf, withSecret } from './secret.ts'
import { ENTRYWAY } from './server.ts'
import { xrpc, type Failed } from './xrpc.ts'

const SIGN_IN_TIMEOUT_MS = 20_000
const CHECK_TIMEOUT_MS = 8_000
/** An access token lives two hours; it is renewed when less than this is left. */
const RENEW_BEFORE_MS = 5 * 60_000

const Fields = z.object({
  handle: z.string().min(1),
  appPassword: z.string().min(1),
  service: z.string().default(ENTRYWAY),
})

export type Settings = {
  /** The origin of the directory of `did:plc` accounts. */
  plcDirectory: string
  /** The public address. Without one that servers accept, accounts can only be connected by app password. */
  publicUrl?: string
  /** The key that authenticates this installation to servers. */
  clientKey?: () => Promise<ClientKey>
}

/** Signs in and returns the account, after checking it with the directory: any server could claim any account. */
const withCredentials =
  ({ plcDirectory }: Settings): Connect['withCredentials'] =>
  async (reach, fields) => {
    const { handle, appPassword, service: typed } = Fields.parse(fields)
    const service = originOf(typed)
    if (!service) return rejected('bad-address', because('bluesky-bad-address'))
    const session = await signIn(reach, service, handle, appPassword)
    if (session.kind !== 'ok') return refusalOfSignIn(session, service)
    if (session.value.active === false) return inactive(session.value.status)
    const server = await serverOf(reach, plcDirectory, session.value.did)
    if (server.kind !== 'server') return server
    if (server.origin !== service && service !== ENTRYWAY) return elsewhere(service, server.origin)
    const secret = secretOf(session.value, server.origin, appPassword)
    const account = await accountOf(reach, session.value, secret, service, handle)
    return { kind: 'connected', account, secret, expiresAt: expiryOf(secret.accessJwt) }
  }

/**
 * Uses the refresh token. If the response is lost, it can be used again: for two hours the server returns the same
 * successor. If it's invalid, the app password opens a new session.
 */
const refresh = (client: OAuthClient | undefined): Connect['refresh'] =>
  withSecret(async (reach, old) => {
    if ('oauth' in old) return await refreshByPage(reach, client, old)
    const { pds, refreshJwt, appPassword, did } = old
    const renewed = await xrpc(reach, {
      service: pds,
      nsid: 'com.atproto.server.refreshSession',
      post: true,
      as: { token: refreshJwt },
      reply: Session,
      timeoutMs: SIGN_IN_TIMEOUT_MS,
    })
    if (renewed.kind === 'ok') return refreshed(renewed.value, old)
    if (!isDead(renewed)) return refusalOf(renewed, { doing: 'renew-sign-in', irreversible: false })
    if (!appPassword) return { kind: 'reconnect', reason: deadSession(renewed) }
    const again = await signIn(reach, pds, did, appPassword)
    if (again.kind === 'ok') return refreshed(again.value, old)
    if (isDead(again)) return { kind: 'reconnect', reason: deadSession(again) }
    return refusalOf(again, { doing: 'accept-sign-in', irreversible: false })
  })

/** Ends the session; an app password stays in Bluesky's settings, where only the person can delete it. */
const revoke =
  (client: OAuthClient | undefined): Connect['revoke'] =>
  async (reach, secret) => {
    const read = readSecret(secret)
    // a secret that can't be read can't be revoked
    if (read.kind !== 'secret') return { kind: 'revoked' }
    if ('oauth' in read.value) return await revokeByPage(reach, client, read.value)
    const { pds, refreshJwt } = read.value
    const ended = await xrpc(reach, {
      service: pds,
      nsid: 'com.atproto.server.deleteSession',
      post: true,
      as: { token: refreshJwt },
      reply: Anything,
      timeoutMs: CHECK_TIMEOUT_MS,
    })
    // a server without this call won't have it in a minute either
    const isUnknown = ended.kind === 'failed' && ended.cause === 'answered' && ended.status === 501
    return ended.kind === 'ok' || isUnknown || isDead(ended)
      ? { kind: 'revoked' }
      : refusalOf(ended, { doing: 'end-sign-in', irreversible: false })
  }

const check: Connect['check'] = withSecret(async (reach, own) => {
  const session = await xrpc(reach, {
    service: own.pds,
    nsid: 'com.atproto.server.getSession',
    as: tokenOf(own),
    reply: CurrentSession,
    timeoutMs: CHECK_TIMEOUT_MS,
  })
  // nothing but the account could be wrong with this call: it was taken down or deleted
  if (session.kind === 'failed' && session.cause === 'answered' && session.code === 'InvalidRequest')
    return { ...inactive('gone or taken down'), kind: 'reconnect' }
  if (session.kind !== 'ok') return refusalOf(session, { doing: 'identify-account', irreversible: false })
  if (session.value.active === false) return { ...inactive(session.value.status), kind: 'reconnect' }
  const profile = await profileOf(reach, own, own.did)
  return {
    kind: 'works',
    endsAt: 'oauth' in own ? endsAtOf(own) : null,
    ...(profile && { pictureUrl: profile.avatar ?? null }),
  }
})

/** Connects by app password, and by the sign-in page of the account's server if this installation can be its client. */
export function connectBy(settings: Settings): Connect {
  const { plcDirectory, publicUrl, clientKey } = settings
  const client = publicUrl === undefined ? undefined : clientAt(publicUrl, clientKey)
  return {
    method: 'credentials',
    withCredentials: withCredentials(settings),
    ...(client && { withPage: pageOf({ plcDirectory, client }) }),
    revoke: revoke(client),
    check,
    refresh: refresh(client),
    needsRefresh,
  }
}

const needsRefresh: Connect['needsRefresh'] = (secret, expiresAt, now) => {
  const read = readSecret(secret)
  const expiry = read.kind === 'secret' ? expiryOf(read.value.accessJwt) : expiresAt
  return expiry !== null && expiry.getTime() - now.getTime() < RENEW_BEFORE_MS
}

const signIn = (reach: Reach, service: string, identifier: string, password: string) =>
  xrpc(reach, {
    service,
    nsid: 'com.atproto.server.createSession',
    json: { identifier, password },
    reply: Session,
    timeoutMs: SIGN_IN_TIMEOUT_MS,
  })

/** Whether the token is permanently invalid. */
const isDead = (failed: Failed): boolean =>
  failed.cause === 'answered' &&
  ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired', 'AuthMissing'].includes(failed.code)

const deadSession = (failed: Failed): Reason => ({
  ...because('bluesky-app-password-refused'),
  ...(failed.cause === 'answered' ? { platformCode: failed.code } : {}),
})

function refreshed(session: Session, { did, pds, appPassword }: PasswordSecret): RenewAnswer {
  if (session.did !== did)
    return { kind: 'reconnect', reason: { ...because('other-account'), platformCode: 'other-account' } }
  const secret = secretOf(session, serverIn(session.didDoc, did) ?? pds, appPassword)
  return { kind: 'refreshed', secret, expiresAt: expiryOf(secret.accessJwt) }
}

/** What is stored of a session. The account's main password never is, although it can be used to sign in. */
function secretOf(session: Session, pds: string, password: string | undefined): PasswordSecret {
  const { accessJwt, refreshJwt, did } = session
  const keep = password !== undefined && claimsOf(accessJwt)?.scope !== 'com.atproto.access'
  return { accessJwt, refreshJwt, did, pds, ...(keep ? { appPassword: password } : {}) }
}

/** For a server that claims an account that isn't its own. */
const elsewhere = (service: string, own: string): Refusal =>
  rejected('other-server', because('bluesky-other-server', { host: new URL(service).host, server: own }))

/** The refusal of a sign-in, with what the person can change about it. */
function refusalOfSignIn(failed: Failed, service: string): Refusal {
  const at = new URL(service).host
  if (failed.cause === 'unsent' && failed.addressRefused)
    return rejected('address-refused', because('bluesky-address-not-public', { host: at }))
  if (
    failed.cause === 'garbled' ||
    (failed.cause === 'answered' && !failed.code && failed.status < 500 && failed.status !== 429)
  )
    return rejected('not-a-server', because('bluesky-no-server', { host: at }))
  if (failed.cause === 'answered') {
    if (failed.code === 'AuthFactorTokenRequired') return rejected(failed.code, because('bluesky-main-password'))
    if (failed.code === 'AccountTakedown') return inactive('taken down')
    if (failed.code === 'AuthenticationRequired')
      return rejected(failed.code, because('bluesky-wrong-password', { host: at }))
    if (failed.code === 'InvalidRequest') return rejected(failed.code, because('bluesky-handle-invalid', { host: at }))
  }
  return refusalOf(failed, { doing: 'accept-sign-in', irreversible: false })
}

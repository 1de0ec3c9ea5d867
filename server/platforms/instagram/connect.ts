import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { instagram as rules } from '#contract/platforms/instagram.ts'
import { finishFacebook, readPages, startFacebook, type FacebookPage, type FacebookUser } from '../graphLogin.ts'
import { refusalOfGraph } from '../graphRefusals.ts'
import { deadOr, longToken, renewLongToken, shouldRenew } from '../graphTokens.ts'
import { finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from '../oauth2.ts'
import type { Connect, ConnectByPage, Reach, RenewAnswer, Secret, SignedIn, SignInAnswer } from '../platform.ts'
import { INSTAGRAM, read, readSecret, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { Me, Permissions, type InstagramSecret } from './schemas.ts'

const SERVER: OAuthServer = {
  issuer: 'https://www.instagram.com',
  authorize: 'https://www.instagram.com/oauth/authorize',
  token: 'https://api.instagram.com/oauth/access_token',
  pkce: false,
  scopeSeparator: ',',
}
const BY_FACEBOOK = [
  'instagram_basic',
  'instagram_content_publish',
  'instagram_manage_comments',
  'instagram_manage_insights',
  'pages_show_list',
  'pages_read_engagement',
  'business_management',
  'instagram_manage_messages',
  'pages_manage_metadata',
]

const begin: ConnectByPage['begin'] = async (reach, { variant = 'instagram', ...ask }) =>
  variant === 'facebook'
    ? await startFacebook(reach, ask, BY_FACEBOOK, variant)
    : await startSignIn(SERVER, reach, ask, rules.app?.scopes ?? [], {
        extra: { enable_fb_login: '0' },
        more: { variant },
      })

const Kept = z.object({ more: z.object({ variant: z.string() }) })
const answer: ConnectByPage['answer'] = async (reach, keep, params) =>
  Kept.safeParse(keep).data?.more.variant === 'facebook'
    ? await byFacebook(reach, keep, params)
    : await byInstagram(reach, keep, params)

/** The code gives a token for an hour, which is exchanged at once for one of 60 days. */
async function byInstagram(reach: Reach, keep: Secret, params: Record<string, string>): Promise<SignInAnswer> {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const long = await longToken(reach, {
    base: INSTAGRAM,
    path: '/access_token',
    query: { grant_type: 'ig_exchange_token', client_secret: app.clientSecret, access_token: tokens.accessToken },
    label: LABEL,
  })
  if (long.kind !== 'token') return long
  const asked = rules.app?.scopes ?? []
  const granted = Permissions.safeParse(tokens.raw).data?.permissions ?? [...asked]
  const secret: InstagramSecret = {
    login: 'instagram',
    ...long.token,
    userId: 'me',
    clientId: app.clientId,
    scopes: granted,
  }
  const me = await read(reach, secret, '/me', { fields: 'id,user_id,username,name,profile_picture_url' }, Me)
  if (me.kind !== 'ok') return refusalOf(me, { doing: 'identify-account', irreversible: false })
  const { id, user_id: userId, username, name, profile_picture_url: pictureUrl } = me.value
  const remoteId = userId ?? id
  const account = {
    remoteId,
    name: name || username || remoteId,
    handle: `@${username || remoteId}`,
    pictureUrl,
    service: null,
  }
  const missing = asked.filter((scope) => !granted.includes(scope))
  return {
    kind: 'accounts',
    accounts: [
      {
        account,
        secret: { ...secret, userId: remoteId },
        expiresAt: long.expiresAt,
        kind: 'Account',
        ...(missing.length > 0 && { missing }),
      },
    ],
  }
}

async function byFacebook(reach: Reach, keep: Secret, params: Record<string, string>): Promise<SignInAnswer> {
  const user = await finishFacebook(reach, keep, params, LABEL)
  if (user.kind !== 'user') return user
  const list = await readPages(
    reach,
    user.token,
    'id,name,access_token,instagram_business_account{id,username,name,profile_picture_url}',
  )
  if (list.kind !== 'pages') return refusalOfGraph(list, { label: LABEL, doing: 'list-accounts', irreversible: false })
  const accounts = list.pages.flatMap((page) => linkedTo(page, user))
  if (accounts.length > 0) return { kind: 'accounts', accounts }
  return { kind: 'rejected', reason: { ...because('instagram-no-accounts'), platformCode: 'no-accounts' } }
}

function linkedTo(
  { access_token: accessToken, instagram_business_account: linked, name: page }: FacebookPage,
  user: FacebookUser,
): SignedIn[] {
  if (accessToken === null || linked === null) return []
  const missing = BY_FACEBOOK.filter((scope) => !user.granted.includes(scope))
  const secret: InstagramSecret = {
    login: 'facebook',
    accessToken,
    userId: linked.id,
    issuedAt: null,
    clientId: user.clientId,
    scopes: user.granted,
  }
  const account = {
    remoteId: linked.id,
    name: linked.name || linked.username || page,
    handle: `@${linked.username || linked.id}`,
    pictureUrl: linked.profile_picture_url,
    service: null,
  }
  return [{ account, secret, expiresAt: null, kind: 'Account', ...(missing.length > 0 && { missing }) }]
}

const stillWorks = (reach: Reach, secret: InstagramSecret) =>
  read(
    reach,
    secret,
    `/${secret.login === 'facebook' ? secret.userId : 'me'}`,
    { fields: 'id,username,profile_picture_url' },
    Me,
  )

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await stillWorks(reach, own)
  return me.kind === 'ok'
    ? { kind: 'works', endsAt: null, pictureUrl: me.value.profile_picture_url }
    : refusalOf(me, { doing: 'identify-account', irreversible: false })
})

/** An Instagram token can be renewed. A Page token can't: if it was refused although it works, it stays. */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  if (own.login === 'facebook') {
    const me = await stillWorks(reach, own)
    return me.kind === 'ok'
      ? { kind: 'refreshed', secret: own, expiresAt: null }
      : deadOr(refusalOf(me, { doing: 'identify-account', irreversible: false }))
  }
  return await renewLongToken(reach, own, { base: INSTAGRAM, grant: 'ig_refresh_token', label: LABEL })
})

const needsRefresh: Connect['needsRefresh'] = (secret, expiresAt, now) => {
  const own = readSecret(secret)
  return (
    own.kind === 'secret' &&
    own.value.login === 'instagram' &&
    expiresAt !== null &&
    shouldRenew(own.value, expiresAt, now)
  )
}

/**
 * Neither sign-in has a call that ends only this channel's: people remove the app in Instagram's or Facebook's
 * settings.
 */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

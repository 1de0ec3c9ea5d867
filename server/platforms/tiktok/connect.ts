import type { ChannelLimits } from '#contract/platforms/limits.ts'
import { tiktok as rules } from '#contract/platforms/tiktok.ts'
import {
  endOf,
  finishSignIn,
  refusalOfSignIn,
  renewBefore,
  renewSecret,
  startSignIn,
  type OAuthServer,
} from '../oauth2.ts'
import type { Connect, ConnectByPage, SignInAnswer } from '../platform.ts'
import { call, creatorOf, HOST, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { UserInfo, type TikTokSecret } from './schemas.ts'

// TikTok's PKCE is for desktop and mobile apps, with its own hash encoding
const SERVER: OAuthServer = {
  issuer: 'https://www.tiktok.com',
  authorize: 'https://www.tiktok.com/v2/auth/authorize/',
  token: `${HOST}/v2/oauth/token/`,
  pkce: false,
  clientIdName: 'client_key',
  scopeSeparator: ',',
}
const SCOPES = rules.app?.scopes ?? []
const asking = { doing: 'identify-account', irreversible: false } as const
const PROFILE = 'open_id,display_name,avatar_url'
/** An access token is valid for a day: renewed an hour before, so that it doesn't expire during an upload. */
const RENEW_BEFORE_MS = 3_600_000

const begin: ConnectByPage['begin'] = async (reach, ask) => await startSignIn(SERVER, reach, ask, SCOPES)

const answer: ConnectByPage['answer'] = async (reach, keep, params): Promise<SignInAnswer> => {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const endsAt = endOf(tokens.answeredAt, tokens.refreshExpiresIn)
  const secret: TikTokSecret = {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    endsAt: endsAt?.toISOString() ?? null,
    openId: '',
    clientId: app.clientId,
    scopes: tokens.scopes ?? [...SCOPES],
  }
  const me = await call(reach, secret, { path: '/v2/user/info/', method: 'GET', fields: PROFILE, reply: UserInfo })
  if (me.kind !== 'ok') return refusalOf(me, asking)
  const { open_id: openId, display_name: name, avatar_url: pictureUrl } = me.value.user
  // the username in the profile's URL is only available with permission to publish; otherwise the display name is used
  const creator = await creatorOf(reach, secret)
  const username = creator.kind === 'ok' ? creator.value.creator_username : ''
  const account = {
    remoteId: openId,
    name: name || username || openId,
    handle: username ? `@${username}` : name || openId,
    pictureUrl,
    service: null,
  }
  const missing = SCOPES.filter((scope) => !secret.scopes.includes(scope))
  return {
    kind: 'accounts',
    accounts: [
      {
        account,
        secret: { ...secret, openId },
        expiresAt: endOf(tokens.answeredAt, tokens.expiresIn),
        endsAt,
        kind: 'Account',
        limits: limitsOf(creator),
        ...(missing.length > 0 && { missing }),
      },
    ],
  }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await call(reach, own, { path: '/v2/user/info/', method: 'GET', fields: PROFILE, reply: UserInfo })
  if (me.kind !== 'ok') return refusalOf(me, asking)
  const creator = await creatorOf(reach, own)
  return {
    kind: 'works',
    endsAt: own.endsAt === null ? null : new Date(own.endsAt),
    pictureUrl: me.value.user.avatar_url,
    // if it doesn't say, the earlier ones stay
    ...(creator.kind === 'ok' && { limits: limitsOf(creator) }),
  }
})

/** How long its videos may be: many may post less than ten minutes (creator_info, max_video_post_duration_sec). */
function limitsOf(creator: Awaited<ReturnType<typeof creatorOf>>): ChannelLimits {
  const longest = creator.kind === 'ok' ? creator.value.max_video_post_duration_sec : null
  return longest === null || longest < 1 ? {} : { videoSeconds: Math.floor(longest) }
}

/** The refresh token may change, and then the new one is valid. */
const refresh: Connect['refresh'] = withSecret(
  async (reach, own) =>
    await renewSecret(SERVER, reach, own, LABEL, ({ answeredAt, refreshExpiresIn }) => ({
      endsAt: endOf(answeredAt, refreshExpiresIn)?.toISOString() ?? own.endsAt,
    })),
)

const needsRefresh = renewBefore(RENEW_BEFORE_MS)

/**
 * There is no `revoke`: TikTok would remove the whole app from the person's account, and with it the account's other
 * channels.
 */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

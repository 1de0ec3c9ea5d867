import { pinterest as rules } from '#contract/platforms/pinterest.ts'
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
import { baseOf, call, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { UserAccount, type PinterestSecret } from './schemas.ts'

const serverOf = (sandbox: boolean): OAuthServer => ({
  issuer: 'https://www.pinterest.com',
  authorize: 'https://www.pinterest.com/oauth/',
  // codes and refresh tokens are exchanged where the token will be used (pinterest/api-quickstart)
  token: `${baseOf(sandbox)}/oauth/token`,
  pkce: false,
  clientAuth: 'basic',
  scopeSeparator: ',',
})
/**
 * Apps created before 2025-09-25 have to request refresh tokens that are renewed each time; newer ones get them anyway.
 */
const ROTATING = { continuous_refresh: 'true' }
const SCOPES = rules.app?.scopes ?? []
const asking = { doing: 'identify-account', irreversible: false } as const
/**
 * An access token is valid for 30 days and the refresh token for 60, both counted again from each renewal: renewing a
 * week before the end keeps unused channels signed in.
 */
const RENEW_BEFORE_MS = 7 * 86_400_000

const begin: ConnectByPage['begin'] = async (reach, ask) => await startSignIn(serverOf(false), reach, ask, SCOPES)

const answer: ConnectByPage['answer'] = async (reach, keep, params): Promise<SignInAnswer> => {
  const sandbox = reach.app?.sandbox ?? false
  const signedIn = await finishSignIn(serverOf(sandbox), reach, keep, params, ROTATING)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  const secret: PinterestSecret = {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    clientId: app.clientId,
    scopes: tokens.scopes ?? [...SCOPES],
    sandbox,
  }
  const me = await call(reach, secret, { path: '/user_account', reply: UserAccount })
  if (me.kind !== 'ok') return refusalOf(me, asking)
  const { id, username, business_name: name, profile_image: pictureUrl } = me.value
  const account = {
    remoteId: id ?? username,
    name: name || username,
    handle: `@${username}`,
    pictureUrl,
    service: null,
  }
  const missing = SCOPES.filter((scope) => !secret.scopes.includes(scope))
  return {
    kind: 'accounts',
    accounts: [
      {
        account,
        secret,
        expiresAt: endOf(tokens.answeredAt, tokens.expiresIn),
        kind: sandbox ? 'Sandbox account' : 'Account',
        ...(missing.length > 0 && { missing }),
      },
    ],
  }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const me = await call(reach, own, { path: '/user_account', reply: UserAccount })
  return me.kind === 'ok' ? { kind: 'works', endsAt: null, pictureUrl: me.value.profile_image } : refusalOf(me, asking)
})

/** Uses the refresh token: the response has its successor. */
const refresh: Connect['refresh'] = withSecret(
  async (reach, own) => await renewSecret(serverOf(own.sandbox), reach, own, LABEL),
)

const needsRefresh = renewBefore(RENEW_BEFORE_MS)

/** The API has no call that ends a sign-in: people remove the app in Pinterest's settings. */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

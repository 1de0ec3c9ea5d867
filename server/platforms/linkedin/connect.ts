import { because } from '#contract/failures/catalog.ts'
import { linkedin as rules } from '#contract/platforms/linkedin.ts'
import { rest } from '../jsonCalls.ts'
import {
  endOf,
  finishSignIn,
  refusalOfSignIn,
  refusalOfUnspent,
  renewTokens,
  startSignIn,
  type OAuthServer,
  type Tokens,
} from '../oauth2.ts'
import type { Connect, ConnectByPage, Reach, Refusal, RenewAnswer, SignedIn } from '../platform.ts'
import { API, call, isOrganization, READ_TIMEOUT_MS, readSecret, withSecret } from './client.ts'
import { isClosed, isGone, LABEL, refusalOf } from './refusals.ts'
import { Me, MemberProfile, Organization, Roles, type LinkedInSecret } from './schemas.ts'

/** LinkedIn accepts no PKCE verifier from apps with a secret. */
const SERVER: OAuthServer = {
  issuer: 'https://www.linkedin.com',
  authorize: 'https://www.linkedin.com/oauth/v2/authorization',
  token: 'https://www.linkedin.com/oauth/v2/accessToken',
  pkce: false,
}
const PAGES = 'pages'
const PROFILE_SCOPES = rules.app?.scopes ?? []
const PAGES_APP_SCOPES = rules.otherApps?.find(({ key }) => key === 'linkedin_pages')?.setup.scopes ?? []
/** Permissions that only Pages need, so profiles aren't missing them. */
const PAGE_SCOPES = [
  'w_organization_social',
  'r_organization_social',
  'r_organization_social_feed',
  'rw_organization_admin',
  'w_organization_social_feed',
]
const MEMBER_SCOPES = ['w_member_social', 'w_member_social_feed', 'r_member_postAnalytics']
const ROLES = ['ADMINISTRATOR', 'CONTENT_ADMIN']
/** How many Pages of one person are offered. */
const MOST_PAGES = 100
const RENEW_BEFORE_MS = 7 * 86_400_000
const telling = { doing: 'identify-account', irreversible: false } as const

const scopesOf = (variant: unknown): readonly string[] => (variant === PAGES ? PAGES_APP_SCOPES : PROFILE_SCOPES)

const begin: ConnectByPage['begin'] = async (reach, { variant = 'profile', ...ask }) =>
  await startSignIn(SERVER, reach, ask, scopesOf(variant), { more: { variant } })

const answer: ConnectByPage['answer'] = async (reach, keep, params) => {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, LABEL)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app, more } = signedIn
  const asked = scopesOf(more.variant)
  const base = { ...kept(tokens), clientId: app.clientId, scopes: tokens.scopes ?? [...asked] }
  const me = await whoIs(reach, base)
  if (me.kind !== 'person') return me
  const pages = more.variant === PAGES ? await pagesOf(reach, base) : []
  if (!Array.isArray(pages)) return pages
  const account = (
    author: string,
    one: Omit<SignedIn['account'], 'remoteId' | 'service'>,
    kind: string,
    others: readonly string[],
  ): SignedIn => {
    const missing = asked.filter((scope) => !base.scopes.includes(scope) && !others.includes(scope))
    return {
      account: { ...one, remoteId: author, service: null },
      secret: { ...base, author } satisfies LinkedInSecret,
      expiresAt: dateIn(base.endsAt),
      endsAt: dateIn(base.refreshEndsAt ?? base.endsAt),
      kind,
      ...(missing.length > 0 && { missing }),
    }
  }
  return {
    kind: 'accounts',
    accounts: [
      ...pages.map(({ author, name, vanityName }) =>
        account(author, { name, handle: vanityName || name, pictureUrl: null }, 'Organization', MEMBER_SCOPES),
      ),
      account(me.author, { name: me.name, handle: me.name, pictureUrl: me.picture }, 'Profile', PAGE_SCOPES),
    ],
  }
}

const dateIn = (iso: string | null): Date | null => (iso === null ? null : new Date(iso))

/**
 * A refresh token's expiration doesn't change: later responses have the remaining time (programmatic refresh tokens).
 */
const kept = ({
  accessToken,
  refreshToken,
  expiresIn,
  refreshExpiresIn,
  answeredAt,
}: Tokens): Pick<LinkedInSecret, 'accessToken' | 'refreshToken' | 'refreshEndsAt' | 'endsAt'> => ({
  accessToken,
  refreshToken,
  refreshEndsAt: refreshToken === null ? null : (endOf(answeredAt, refreshExpiresIn)?.toISOString() ?? null),
  endsAt: endOf(answeredAt, expiresIn)?.toISOString() ?? null,
})

/**
 * The member who signed in. Apps with "Sign In with LinkedIn" use OpenID Connect; those with the Community Management
 * API don't have `openid` and read the profile with `r_basicprofile` (learn.microsoft.com/linkedin,
 * shared/integrations/people/profile-api).
 */
async function whoIs(
  reach: Reach,
  { accessToken: token, scopes }: Pick<LinkedInSecret, 'accessToken' | 'scopes'>,
): Promise<{ kind: 'person'; author: string; name: string; picture: string | null } | Refusal> {
  const me = scopes.includes('openid')
    ? await rest(reach, { url: `${API}/v2/userinfo`, token, reply: Me, timeoutMs: READ_TIMEOUT_MS })
    : await rest(reach, {
        url: `${API}/v2/me`,
        // LinkedIn also reads percent-encoded parentheses as parentheses
        query: {
          projection: '(id,localizedFirstName,localizedLastName,profilePicture(displayImage~:playableStreams))',
        },
        token,
        reply: MemberProfile,
        timeoutMs: READ_TIMEOUT_MS,
      })
  if (me.kind !== 'ok') return refusalOf(me, telling)
  const { id, name, picture } = me.value
  return { kind: 'person', author: `urn:li:person:${id}`, name: name || 'LinkedIn member', picture }
}

type Page = { author: string; name: string; vanityName: string }

/** Pages that the person may publish to; none if the app isn't allowed to list them. */
async function pagesOf(reach: Reach, secret: Pick<LinkedInSecret, 'accessToken'>): Promise<Page[] | Refusal> {
  const roles = await call(reach, secret, {
    path: '/rest/organizationAcls',
    query: { q: 'roleAssignee', state: 'APPROVED', count: String(MOST_PAGES) },
    reply: Roles,
  })
  if (roles.kind !== 'ok') return isClosed(roles) ? [] : refusalOf(roles, { doing: 'list-pages', irreversible: false })
  const authors = new Set(
    roles.value.elements.flatMap(({ role, organization, organizationTarget }) =>
      ROLES.includes(role) ? [organization ?? organizationTarget ?? ''] : [],
    ),
  )
  const pages: Page[] = []
  for (const author of authors) {
    const [, id] = /^urn:li:organization:(\d+)$/.exec(author) ?? []
    if (id === undefined) continue
    const found = await call(reach, secret, { path: `/rest/organizations/${id}`, reply: Organization })
    if (found.kind === 'ok')
      pages.push({ author, name: found.value.localizedName || `Page ${id}`, vanityName: found.value.vanityName })
    else if (!isClosed(found) && !isGone(found)) return refusalOf(found, { doing: 'list-pages', irreversible: false })
  }
  return pages
}

/** A Page is checked separately: the person may have lost their role on it while the sign-in still works. */
const check: Connect['check'] = withSecret(
  async (reach, own): Promise<Awaited<ReturnType<NonNullable<Connect['check']>>>> => {
    const { author, refreshEndsAt, endsAt } = own
    const works = { kind: 'works', endsAt: dateIn(refreshEndsAt ?? endsAt) } as const
    if (!isOrganization(own)) {
      const me = await whoIs(reach, own)
      return me.kind === 'person' ? { ...works, pictureUrl: me.picture } : me
    }
    const roles = await call(reach, own, {
      path: '/rest/organizationAcls',
      query: { q: 'roleAssignee', state: 'APPROVED', count: String(MOST_PAGES) },
      reply: Roles,
    })
    // an app that isn't allowed to list Pages may still publish to one
    if (roles.kind !== 'ok') return isClosed(roles) ? works : refusalOf(roles, telling)
    const may = roles.value.elements.some(
      ({ role, organization, organizationTarget }) =>
        ROLES.includes(role) && (organization ?? organizationTarget) === author,
    )
    return may ? works : { kind: 'reconnect', reason: { ...because('linkedin-role-lost'), platformCode: 'no-role' } }
  },
)

/** Only apps in approved programs get refresh tokens. They can be used repeatedly, so a lost response costs nothing. */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  const { refreshToken } = own
  if (refreshToken === null)
    return { kind: 'reconnect', reason: { ...because('linkedin-sixty-days'), platformCode: 'no-refresh-token' } }
  const renewed = await renewTokens(SERVER, reach, refreshToken)
  if (renewed.kind === 'failed') return refusalOfUnspent(renewed, LABEL)
  if (renewed.kind !== 'tokens') return renewed
  const next = kept(renewed.tokens)
  const value: LinkedInSecret = {
    ...own,
    ...next,
    refreshToken: next.refreshToken ?? refreshToken,
    refreshEndsAt: next.refreshEndsAt ?? own.refreshEndsAt,
  }
  return { kind: 'refreshed', secret: value, expiresAt: dateIn(value.endsAt) }
})

const needsRefresh: Connect['needsRefresh'] = (secret, expiresAt, now) => {
  const own = readSecret(secret)
  return (
    own.kind === 'secret' &&
    own.value.refreshToken !== null &&
    expiresAt !== null &&
    expiresAt.getTime() - now.getTime() < RENEW_BEFORE_MS
  )
}

/**
 * There is no `revoke`: a person's profile and Pages share one sign-in, and ending it would sign out other channels.
 */
export const connect: Connect = { method: 'oauth', withPage: { begin, answer }, check, refresh, needsRefresh }

import { because } from '#contract/failures/catalog.ts'
import { facebook as rules } from '#contract/platforms/facebook.ts'
import { graph } from '../graph.ts'
import {
  FACEBOOK,
  finishFacebook,
  readPages,
  startFacebook,
  type FacebookPage,
  type FacebookUser,
} from '../graphLogin.ts'
import { deadOr } from '../graphTokens.ts'
import type { Connect, ConnectByPage, RenewAnswer, SignedIn } from '../platform.ts'
import { LABEL, read, refusalOf, withSecret } from './client.ts'
import { PageName, PageToken, type FacebookSecret } from './schemas.ts'

/** Additional permissions for promoting posts. */
const ADS_SCOPES = ['ads_management', 'ads_read']
const ADS = 'ads'
const scopesOf = (variant: string): string[] => [...(rules.app?.scopes ?? []), ...(variant === ADS ? ADS_SCOPES : [])]

const begin: ConnectByPage['begin'] = async (reach, { variant = 'page', ...ask }) =>
  await startFacebook(reach, ask, scopesOf(variant), variant)

const answer: ConnectByPage['answer'] = async (reach, keep, params) => {
  const user = await finishFacebook(reach, keep, params, LABEL)
  if (user.kind !== 'user') return user
  const list = await readPages(reach, user.token, 'id,name,username,access_token,tasks,picture{url}')
  if (list.kind !== 'pages') return refusalOf(list, 'list-pages')
  const accounts = list.pages.flatMap((page) => signedIn(page, user))
  if (accounts.length > 0) return { kind: 'accounts', accounts }
  return { kind: 'rejected', reason: { ...because('facebook-no-pages'), platformCode: 'no-pages' } }
}

function signedIn(page: FacebookPage, user: FacebookUser): SignedIn[] {
  if (page.access_token === null) return []
  const missing = scopesOf(user.variant).filter((scope) => !user.granted.includes(scope))
  const role = page.tasks === null || page.tasks.includes('CREATE_CONTENT') ? [] : ['CREATE_CONTENT']
  const secret: FacebookSecret = {
    accessToken: page.access_token,
    pageId: page.id,
    clientId: user.clientId,
    scopes: user.granted,
    ...(user.variant === ADS && { userToken: user.token, userTokenEndsAt: user.endsAt?.toISOString() ?? null }),
  }
  const account = {
    remoteId: page.id,
    name: page.name || page.id,
    handle: page.username ? `@${page.username}` : page.name || page.id,
    pictureUrl: page.picture,
    service: null,
  }
  // a Page token derived from a person's long-lived token doesn't expire
  return [
    {
      account,
      secret,
      expiresAt: null,
      kind: 'Page',
      ...(missing.length + role.length > 0 && { missing: [...missing, ...role] }),
    },
  ]
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const page = await read(reach, own, `/${own.pageId}`, { fields: 'id,name,picture' }, PageName)
  return page.kind === 'ok'
    ? { kind: 'works', endsAt: null, pictureUrl: page.value.picture }
    : refusalOf(page, 'identify-page')
})

/**
 * A Page token can't be renewed. If one was refused although it works, it stays; if the person's own token is stored,
 * it gives a new Page token.
 */
const refresh: Connect['refresh'] = withSecret(async (reach, own): Promise<RenewAnswer> => {
  const { pageId, userToken } = own
  const page = await read(reach, own, `/${pageId}`, { fields: 'id,name' }, PageName)
  if (page.kind === 'ok') return { kind: 'refreshed', secret: own, expiresAt: null }
  const refusal = refusalOf(page, 'identify-page')
  if (refusal.kind !== 'reconnect' || userToken === undefined) return deadOr(refusal)
  const again = await graph(reach, {
    base: FACEBOOK,
    path: `/${pageId}`,
    token: userToken,
    query: { fields: 'id,access_token' },
    reply: PageToken,
    timeoutMs: 20_000,
  })
  if (again.kind === 'ok')
    return { kind: 'refreshed', secret: { ...own, accessToken: again.value.access_token }, expiresAt: null }
  return refusal
})

/**
 * Tokens don't expire. There is no `revoke`: Facebook ends a person's sign-in for all their Pages at once, which would
 * sign out other channels.
 */
export const connect: Connect = {
  method: 'oauth',
  withPage: { begin, answer },
  check,
  refresh,
  needsRefresh: () => false,
}

import { z } from 'zod'
import { graph, GraphId, type GraphFailed } from './graph.ts'
import { refusalOfGraph } from './graphRefusals.ts'
import { endOf, finishSignIn, refusalOfSignIn, startSignIn, type OAuthServer } from './oauth2.ts'
import type { ConnectByPage, Reach, Refusal, Secret } from './platform.ts'
import { dateOf } from './wire.ts'

/*
 * Sign-in through Facebook, for Pages and for the Instagram accounts that are linked to them. It grants a token of the
 * person; a channel works with the token of one Page.
 */

export const FACEBOOK_HOSTS = ['www.facebook.com', 'graph.facebook.com', 'rupload.facebook.com'] as const
export const FACEBOOK = 'https://graph.facebook.com/v25.0'
const SERVER: OAuthServer = {
  issuer: 'https://www.facebook.com',
  authorize: 'https://www.facebook.com/v25.0/dialog/oauth',
  token: `${FACEBOOK}/oauth/access_token`,
  pkce: false,
  scopeSeparator: ',',
}
const TIMEOUT_MS = 20_000
/** How many pages of a person's Pages are read: more than anyone manages. */
const MOST_LISTS = 10

/** Asks again for permissions that were declined before; otherwise reconnecting could never add them. */
export const startFacebook = async (
  reach: Reach,
  ask: { redirectUri: string; state: string },
  scopes: readonly string[],
  variant: string,
): ReturnType<ConnectByPage['begin']> =>
  await startSignIn(SERVER, reach, ask, scopes, { extra: { auth_type: 'rerequest' }, more: { variant } })

const LongToken = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().nonnegative().nullable().catch(null),
})
const Granted = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

export type FacebookUser = {
  kind: 'user'
  token: string
  endsAt: Date | null
  granted: string[]
  clientId: string
  variant: string
}

/**
 * The code gives a token for an hour or two, which is exchanged for one of 60 days: only Page tokens derived from that
 * one don't expire.
 */
export async function finishFacebook(
  reach: Reach,
  keep: Secret,
  params: Record<string, string>,
  label: string,
): Promise<FacebookUser | Refusal> {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, label)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app, more } = signedIn
  const exchange = {
    grant_type: 'fb_exchange_token',
    client_id: app.clientId,
    client_secret: app.clientSecret,
    fb_exchange_token: tokens.accessToken,
  }
  const long = await graph(reach, {
    base: FACEBOOK,
    path: '/oauth/access_token',
    query: exchange,
    reply: LongToken,
    timeoutMs: TIMEOUT_MS,
  })
  if (long.kind !== 'ok') return refusalOfGraph(long, { label, doing: 'finish-sign-in', irreversible: false })
  const token = long.value.access_token
  const rights = await graph(reach, {
    base: FACEBOOK,
    path: '/me/permissions',
    token,
    reply: Granted,
    timeoutMs: TIMEOUT_MS,
  })
  if (rights.kind !== 'ok') return refusalOfGraph(rights, { label, doing: 'list-permissions', irreversible: false })
  const granted = rights.value.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
  return {
    kind: 'user',
    token,
    endsAt: endOf(dateOf(long.headers), long.value.expires_in),
    granted,
    clientId: app.clientId,
    variant: typeof more.variant === 'string' ? more.variant : '',
  }
}

/** The URL of a Page's picture; null if it only has the default. */
export const Picture = z
  .object({ data: z.object({ url: z.url({ protocol: /^https?$/ }) }) })
  .transform(({ data }) => data.url)
  .nullable()
  .catch(null)
const Linked = z
  .object({
    id: GraphId,
    username: z.string().catch(''),
    name: z.string().catch(''),
    profile_picture_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .catch(null),
  })
  .nullable()
  .catch(null)
const Page = z.object({
  id: GraphId,
  name: z.string().catch(''),
  username: z.string().catch(''),
  /** Absent if the person may not act for the Page. */
  access_token: z.string().min(1).nullable().catch(null),
  tasks: z.array(z.string()).nullable().catch(null),
  picture: Picture,
  instagram_business_account: Linked,
})
export type FacebookPage = z.infer<typeof Page>
const PageList = z.object({
  data: z.array(Page),
  paging: z
    .object({
      cursors: z
        .object({ after: z.string().optional().catch(undefined) })
        .optional()
        .catch(undefined),
      next: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** Every Page that the person manages, with its own token. */
export async function readPages(
  reach: Reach,
  token: string,
  fields: string,
): Promise<{ kind: 'pages'; pages: FacebookPage[] } | GraphFailed> {
  const pages: FacebookPage[] = []
  let after: string | undefined
  for (let list = 0; list < MOST_LISTS; list++) {
    const read = await graph(reach, {
      base: FACEBOOK,
      path: '/me/accounts',
      token,
      query: { fields, limit: '100', ...(after !== undefined && { after }) },
      reply: PageList,
      timeoutMs: TIMEOUT_MS,
    })
    if (read.kind !== 'ok') return read
    pages.push(...read.value.data)
    after = read.value.paging?.next === undefined ? undefined : read.value.paging.cursors?.after
    if (after === undefined) break
  }
  return { kind: 'pages', pages }
}

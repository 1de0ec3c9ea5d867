import type { z } from 'zod'
import { credentialSignIns } from '#contract/channels.ts'
import type { connectAuth, connectCallback, connectConfirm, connectWays } from '#contract/connect.ts'
import { appNamed, platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type AppKey, type PlatformKey } from '#contract/platforms/rules.ts'
import { appOf, readSetUp, wantsHttps } from '../apps/apps.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Context, DetachedContext, ProjectContext } from '../http/route.ts'
import { takeAllowance } from '../plans/allowance.ts'
import type { AppCredentials, ConnectByPage, Platform, Reach, SignedIn } from '../platforms/platform.ts'
import { redirectAddress } from '../platforms/redirect.ts'
import { simulatedUrl } from '../platforms/simulated.ts'
import { codeWord, sentence } from '../platforms/quotes.ts'
import { storable } from '../delivery/storable.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { loadStayingChannel, reaches } from '../access/channels.ts'
import { CONNECT_MS, isSimulated, presentable, storeChannel, type ConnectDeps } from './connect.ts'
import { refusedConnection } from '../delivery/ask.ts'
import { pictureLinks } from './foreignPictures.ts'
import { keepOffer, newState, openFlow, spendState, takeOffer } from './flow.ts'
import { mustHaveRoom, mustTakePlatform } from './limits.ts'
import { revokeSignIns } from './revokeSignIns.ts'
import { channelsOfAccounts, findChannels } from './queries.ts'

const NOT_SET_UP = "This platform isn't set up yet."
const notSetUp = (app: AppKey): string =>
  `The ${appNamed(app).label} app isn't set up yet. Organization admins can do that in Platform setup.`
const NO_PAGE = "You can't connect this platform through its own page."
const WANTS_HTTPS = 'This platform requires Rookery to run on a public https address, set in PUBLIC_URL.'
const APP_CHANGED = 'The platform app changed while you were connecting. Start again.'

/** How each platform is connected here, for this organization. */
export async function waysToConnect(
  tx: Tx,
  deps: ConnectDeps,
  orgId: string,
): Promise<z.output<(typeof connectWays)['reply']>> {
  const isSetUp = await readSetUp(tx, deps.env, orgId)
  return { platforms: platformKeys.map((key) => wayOf(deps, key, isSetUp)) }
}

type Way = z.output<(typeof connectWays)['reply']>['platforms'][number]

function wayOf(
  { env, platforms }: ConnectDeps,
  key: PlatformKey,
  isSetUp: (platform: PlatformKey, variant?: string) => boolean,
): Way {
  const platform = platforms(key)
  const form =
    platform?.connect.withCredentials !== undefined && credentialSignIns.some((known) => known.platform === key)
  const hasPage = platform?.connect.withPage !== undefined
  const away = hasPage && wantsHttps(env, key) ? WANTS_HTTPS : null
  const variants = (platformRules[key].app?.variants ?? []).map(({ value, label, description }) => ({
    value,
    label,
    description,
    problem: away ?? (isSetUp(key, value) ? null : notSetUp(appOf(key, value))),
  }))
  const lacksApp = hasPage && (variants.length > 0 ? !variants.some(({ value }) => isSetUp(key, value)) : !isSetUp(key))
  const page = hasPage && !lacksApp && away === null
  const problem = form || page ? null : lacksApp ? NOT_SET_UP : (away ?? NOT_SET_UP)
  return {
    platform: key,
    form,
    page,
    simulated: env.SIMULATED_PLATFORMS !== undefined && (form || page),
    wantsApp: lacksApp,
    variants,
    problem,
  }
}

function pageOf({ platforms }: ConnectDeps, key: PlatformKey): { platform: Platform; page: ConnectByPage } {
  const platform = platforms(key)
  const page = platform?.connect.withPage
  if (!platform || !page) throw fail('CHANNEL_REFUSED', { detail: platform ? NO_PAGE : NOT_SET_UP })
  return { platform, page }
}

const reachOf = (deps: ConnectDeps, app: AppCredentials | undefined): Reach => ({
  fetch: deps.fetch,
  signal: AbortSignal.timeout(CONNECT_MS),
  ...(app && { app }),
})

/** The app for a new sign-in. Throws CHANNEL_REFUSED with the reason if there can't be one. */
async function appFor(
  deps: ConnectDeps,
  orgId: string,
  key: PlatformKey,
  variant: string | null,
): Promise<AppCredentials | undefined> {
  if (wantsHttps(deps.env, key)) throw fail('CHANNEL_REFUSED', { detail: WANTS_HTTPS })
  const app = await deps.apps.forSignIn(orgId, key, variant ?? undefined)
  if (!app && platformRules[key].app !== null)
    throw fail('CHANNEL_REFUSED', { detail: notSetUp(appOf(key, variant ?? undefined)) })
  return app
}

/**
 * The chosen way, that of the reconnected channel, or the platform's first. Throws BAD_INPUT for one that isn't
 * offered.
 */
function variantOf(key: PlatformKey, asked: string | undefined, known: string | null | undefined): string | null {
  const offered = platformRules[key].app?.variants ?? []
  if (asked !== undefined && !offered.some(({ value }) => value === asked))
    throw fail('BAD_INPUT', { errors: { variant: ['Choose one of the options'] } })
  return asked ?? offered.find(({ value }) => value === known)?.value ?? offered[0]?.value ?? null
}

/** Starts: returns the URL of the platform's page. What is needed when the browser comes back is stored encrypted. */
export async function begin(c: DetachedContext<typeof connectAuth>, deps: ConnectDeps): Promise<{ url: string }> {
  const { platform: key } = c.params
  const { platform, page } = pageOf(deps, key)
  const channel = await c.inTenant(async (t) => {
    const { channelId } = c.query
    const again = channelId === undefined ? undefined : await loadStayingChannel(t, channelId)
    if (again && again.platform !== key) throw fail('NOT_FOUND')
    await mustHaveRoom(t, again !== undefined)
    await mustTakePlatform(t.tx, t.org, key, again?.id)
    return again
  })
  const variant = variantOf(key, c.query.variant, channel?.variant)
  const app = await appFor(deps, c.org.orgId, key, variant)
  const state = newState()
  const domain = c.query.domain || (channel?.service ? new URL(channel.service).host : undefined)
  const ask = {
    redirectUri: redirectAddress(deps.env.publicUrl, key),
    state,
    ...(domain && { domain }),
    ...(channel && { login: channel.handle }),
    ...(variant !== null && { variant }),
  }
  const begun = await page.begin(reachOf(deps, app), ask)
  if (begun.kind !== 'begun') throw refusedConnection(storable(begun))
  await c.inTenant((t) =>
    openFlow(t, deps.secrets, {
      platform: key,
      state,
      keep: begun.keep,
      channelId: channel?.id ?? null,
      clientId: app?.clientId ?? null,
      variant,
    }),
  )
  const { SIMULATED_PLATFORMS: base } = deps.env
  return { url: base === undefined ? begun.url : simulatedUrl(begun.url, platform.hosts, base) }
}

/**
 * Handles the answer: uses up the state and the code, and stores the accounts to choose from. Reconnecting accepts its
 * own account only.
 */
export async function takeAnswer(
  c: DetachedContext<typeof connectCallback>,
  deps: ConnectDeps,
): Promise<z.output<(typeof connectCallback)['reply']>> {
  const { platform: key } = c.params
  const { page } = pageOf(deps, key)
  const pictureLink = pictureLinks(deps)
  const flow = await c.inTenant((t) => spendState(t, deps.secrets, key, c.body.state))
  const refusal = declined(key, c.body)
  if (refusal) throw fail('CHANNEL_REFUSED', { detail: refusal })
  const app = flow.clientId === null ? undefined : await deps.apps.find(c.org.orgId, key, flow.clientId)
  if (flow.clientId !== null && !app) throw fail('CHANNEL_REFUSED', { detail: APP_CHANGED })
  const answer = await page.answer(reachOf(deps, app), flow.keep, c.body)
  if (answer.kind !== 'accounts') throw refusedConnection(storable(answer))
  const accounts = answer.accounts.map((one) => ({ ...one, account: presentable(one.account) }))
  try {
    return await c.inTenant(async (t) => {
      const offered = flow.channelId === null ? accounts : await onlyOf(t, flow.channelId, accounts)
      await keepOffer(t, deps.secrets, flow, offered)
      const known = await channelsOfAccounts(
        t.tx,
        { orgId: t.org.orgId, project: t.project },
        key,
        offered.map(({ account }) => account.remoteId),
      )
      const isConnected = (remoteId: string) =>
        known.some((one) => one.remoteId === remoteId && reaches(t.project, one.channelId))
      return {
        flowId: flow.flowId,
        accounts: offered.map(({ account: { remoteId, name, handle, pictureUrl }, kind, missing }) => ({
          remoteId,
          name,
          handle,
          profileUrl: pictureLink(t.org.orgId, pictureUrl, t.now),
          connected: isConnected(remoteId),
          kind: kind ?? null,
          missing: [...(missing ?? [])],
        })),
      }
    })
  } catch (thrown) {
    // nobody will use these sign-ins anymore
    await revokeSignIns(deps, key, { orgId: c.org.orgId, clientId: flow.clientId }, accounts)
    throw thrown
  }
}

/** How platforms say that the person declined on their page. */
const CANCELLED = new Set([
  'access_denied',
  'user_denied',
  'user_cancelled_login',
  'user_cancelled_authorize',
  'consent_required',
])

/** Why the person came back without agreeing; undefined if they agreed. Platforms name the reasons differently. */
function declined(key: PlatformKey, params: Record<string, string>): string | undefined {
  const {
    error = params['error_code'],
    error_reason: reason,
    error_description: told = params['error_message'],
  } = params
  if (error === undefined) return undefined
  const label = platformLabel(key)
  if ([error, reason].some((code) => code !== undefined && CANCELLED.has(code)))
    return `The connection was canceled on ${label}.`
  return storable(
    `${label} didn't connect the account${told ? `: ${sentence(told)}` : ` (${codeWord(error) || 'no reason'}).`}`,
  )
}

/** The account of the channel being reconnected, and no other. */
async function onlyOf(t: ProjectContext, channelId: string, accounts: readonly SignedIn[]): Promise<SignedIn[]> {
  const channel = await loadStayingChannel(t, channelId)
  const own = accounts.filter(({ account }) => account.remoteId === channel.remote_id)
  if (own.length === 0)
    throw fail('CHANNEL_REFUSED', {
      detail: `You signed in as ${accounts.map(({ account }) => account.handle).join(', ') || 'nobody'}. Sign in as ${channel.handle} to reconnect it.`,
    })
  return own
}

/** Connects the chosen accounts, all or none; the plan counts them under its lock. */
export async function confirm(
  c: Context<typeof connectConfirm>,
  deps: ConnectDeps,
): Promise<z.output<(typeof connectConfirm)['reply']>> {
  const { platform: key } = c.params
  const { platform } = pageOf(deps, key)
  const { accounts: offered, clientId, variant } = await takeOffer(c, deps.secrets, key, c.body.flowId)
  const wanted = [...new Set(c.body.profiles)].map((remoteId) =>
    offered.find(({ account }) => account.remoteId === remoteId),
  )
  const org = { ...c.org, ...(await takeAllowance(c.tx, c.org.orgId, c.now)) }
  const connected: { channelId: string; reconnected: boolean }[] = []
  for (const account of wanted) {
    if (!account) throw fail('BAD_INPUT', { errors: { profiles: ['Choose from the accounts in the list'] } })
    const simulated = isSimulated(deps.env, platform, account.account.service)
    const stored = await storeChannel(
      {
        ...c,
        org,
        personId: c.caller.personId,
        platform: key,
        keys: deps.secrets,
        simulated,
        clientId,
        variant,
        ai: deps.env.AI_BASE_URL !== undefined,
      },
      account,
    )
    await c.audit({ entityId: stored.channelId, detail: { platform: key, reconnected: stored.reconnected } })
    await c.emit({ kind: 'channel', ref: stored.channelId })
    connected.push(stored)
  }
  // a role with specific channels includes what its member just connected
  const ids = connected.map(({ channelId }) => channelId)
  const channels = await findChannels(c.tx, {
    orgId: c.org.orgId,
    now: c.now,
    project: { ...c.project, channelIds: ids },
  })
  return { channels, message: connectedWords(connected) }
}

/** The message for the person who connected these. */
export function connectedWords(connected: readonly { reconnected: boolean }[]): string {
  if (connected.length !== 1) return `${connected.length} channels connected`
  return connected[0]?.reconnected ? 'Channel reconnected' : 'Channel connected'
}

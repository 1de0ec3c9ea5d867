import type { z } from 'zod'
import { credentialSignIns } from '#contract/channels.ts'
import type { connectAuth, connectCallback, connectConfirm, connectWays } from '#contract/connect.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import type { Context, DetachedContext, InTenant } from '../http/route.ts'
import type { ConnectByPage, Platform, SignedIn } from '../platforms/platform.ts'
import { simulatedUrl } from '../platforms/simulated.ts'
import { plain } from '../publishing/plain.ts'
import { platformLabel } from '../publishing/words.ts'
import { loadStayingChannel, reaches } from './access.ts'
import { CONNECT_MS, isSimulated, presentable, refusedConnection, storeChannel, type ConnectParts } from './connect.ts'
import { keepOffer, newState, openFlow, spendState, takeOffer } from './flow.ts'
import { mustHaveRoom } from './limits.ts'
import { letGo } from './letGo.ts'
import { channelsOfAccounts, findChannels } from './queries.ts'

/** Where a platform sends the browser back to. */
export const redirectAddress = (publicUrl: string, platform: PlatformKey): string => `${publicUrl}/oauth/${platform}/callback`

const NOT_SET_UP = 'This platform is not set up here.'
const NO_PAGE = 'This platform cannot be connected by its own page here.'

/** How each platform is connected here. */
export function waysToConnect(parts: ConnectParts): z.output<(typeof connectWays)['reply']> {
  return { platforms: platformKeys.map((key) => wayOf(parts.platforms(key), key)) }
}

function wayOf(platform: Platform | undefined, key: PlatformKey) {
  const form = platform?.connect.withCredentials !== undefined && credentialSignIns.some((known) => known.platform === key)
  const page = platform?.connect.withPage !== undefined
  return { platform: key, form, page, problem: form || page ? null : NOT_SET_UP }
}

function pageOf(parts: ConnectParts, key: PlatformKey): { platform: Platform; page: ConnectByPage } {
  const platform = parts.platforms(key)
  const page = platform?.connect.withPage
  if (!platform || !page) throw fail('CHANNEL_REFUSED', { detail: wayOf(platform, key).problem ?? NO_PAGE })
  return { platform, page }
}

const reachOf = (parts: ConnectParts) => ({ fetch: parts.fetch, signal: AbortSignal.timeout(CONNECT_MS) })

/** Begins: answers the address of the platform's page. What has to be kept until the browser comes back is kept, sealed. */
export async function begin(c: DetachedContext<typeof connectAuth>, parts: ConnectParts): Promise<{ url: string }> {
  const { platform: key } = c.params
  const { platform, page } = pageOf(parts, key)
  const channel = await c.inTenant(async (t) => {
    const { channelId } = c.query
    const again = channelId === undefined ? undefined : await loadStayingChannel(t, channelId)
    if (again && again.platform !== key) throw fail('NOT_FOUND')
    await mustHaveRoom(t, again !== undefined)
    return again
  })
  const state = newState()
  const domain = c.query.domain || (channel?.service ? new URL(channel.service).host : undefined)
  const begun = await page.begin(reachOf(parts), { redirectUri: redirectAddress(parts.env.publicUrl, key), state, ...(domain && { domain }), ...(channel && { login: channel.handle }) })
  if (begun.kind !== 'begun') throw refusedConnection(plain(begun))
  await c.inTenant((t) => openFlow(t, parts.secrets, { platform: key, state, keep: begun.keep, channelId: channel?.id ?? null }))
  const { SIMULATED_PLATFORMS: base } = parts.env
  return { url: base === undefined ? begun.url : simulatedUrl(begun.url, platform.hosts, base) }
}

/** Takes the answer: spends the state and the code, and keeps what may be chosen. A reconnect takes its own account only. */
export async function takeAnswer(c: DetachedContext<typeof connectCallback>, parts: ConnectParts): Promise<z.output<(typeof connectCallback)['reply']>> {
  const { platform: key } = c.params
  const { page } = pageOf(parts, key)
  const { state, code, iss, error, error_description: told } = c.body
  const flow = await c.inTenant((t) => spendState(t, parts.secrets, key, state))
  if (error !== undefined) throw fail('CHANNEL_REFUSED', { detail: declined(key, error, told) })
  const answer = await page.answer(reachOf(parts), flow.keep, { state, ...(code !== undefined && { code }), ...(iss !== undefined && { iss }) })
  if (answer.kind !== 'accounts') throw refusedConnection(plain(answer))
  const accounts = answer.accounts.map((one) => ({ ...one, account: presentable(one.account) }))
  try {
    return await c.inTenant(async (t) => {
      const offered = flow.channelId === null ? accounts : await onlyOf(t, flow.channelId, accounts)
      await keepOffer(t, parts.secrets, flow, offered)
      const known = await channelsOfAccounts(t.tx, { orgId: t.org.orgId, project: t.project }, key, offered.map(({ account }) => account.remoteId))
      return { flowId: flow.flowId, accounts: offered.map(({ account: { remoteId, name, handle, pictureUrl } }) => ({ remoteId, name, handle, profileUrl: pictureUrl, connected: known.some((one) => one.remoteId === remoteId && reaches(t.project, one.channelId)) })) }
    })
  } catch (thrown) {
    // nobody will use these sign-ins any more
    await letGo(parts, key, accounts)
    throw thrown
  }
}

/** The platform's page was left without a yes. */
function declined(key: PlatformKey, error: string, told: string | undefined): string {
  const label = platformLabel(key)
  if (error === 'access_denied') return `The connection was cancelled on the page of ${label}.`
  return plain(`${label} did not connect the account${told ? `: ${told}` : ` (${error}).`}`)
}

/** The account of the channel that is to be reconnected, and no other. */
async function onlyOf(t: InTenant, channelId: string, accounts: readonly SignedIn[]): Promise<SignedIn[]> {
  const channel = await loadStayingChannel(t, channelId)
  const own = accounts.filter(({ account }) => account.remoteId === channel.remote_id)
  if (own.length === 0) throw fail('CHANNEL_REFUSED', { detail: `You signed in as ${accounts.map(({ account }) => account.handle).join(', ') || 'nobody'}. Sign in as ${channel.handle} to reconnect it.` })
  return own
}

/** Connects the chosen accounts, all or none; the plan counts them under lock. */
export async function confirm(c: Context<typeof connectConfirm>, parts: ConnectParts): Promise<z.output<(typeof connectConfirm)['reply']>> {
  const { platform: key } = c.params
  const { platform } = pageOf(parts, key)
  const offered = await takeOffer(c, parts.secrets, key, c.body.flowId)
  const wanted = [...new Set(c.body.profiles)].map((remoteId) => offered.find(({ account }) => account.remoteId === remoteId))
  const connected: { channelId: string; reconnected: boolean }[] = []
  for (const account of wanted) {
    if (!account) throw fail('BAD_INPUT', { errors: { profiles: ['Choose among the accounts that were offered'] } })
    const simulated = isSimulated(parts.env, platform, account.account.service)
    const stored = await storeChannel({ ...c, personId: c.caller.personId, platform: key, keys: parts.secrets, simulated, ai: parts.env.AI_BASE_URL !== undefined }, account)
    await c.audit({ entityId: stored.channelId, detail: { platform: key, reconnected: stored.reconnected } })
    await c.emit({ kind: 'channel', ref: stored.channelId })
    connected.push(stored)
  }
  // a role with named channels reaches what its holder has just connected
  const ids = connected.map(({ channelId }) => channelId)
  const channels = await findChannels(c.tx, { orgId: c.org.orgId, now: c.now, project: { projectId: c.project.projectId, channelIds: ids } })
  return { channels, message: connectedWords(connected) }
}

export function connectedWords(connected: readonly { reconnected: boolean }[]): string {
  if (connected.length !== 1) return `${connected.length} channels connected`
  return connected[0]?.reconnected ? 'Channel reconnected' : 'Channel connected'
}

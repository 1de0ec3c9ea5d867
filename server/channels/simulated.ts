import type { z } from 'zod'
import type { connectSimulated as endpoint } from '#contract/connect.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import { CONNECT_MS, type ConnectDeps } from './connect.ts'
import { begin, confirm, takeAnswer } from './connectByPage.ts'
import { findChannels } from './queries.ts'

type Connected = z.output<(typeof endpoint)['reply']>

/** Said wherever platforms aren't simulated: in production always, since the flag is refused there. */
const ONLY_IN_DEVELOPMENT = 'Simulated accounts are only available in development.'
/** Of federated platforms: any name below `.simulated` is a server of theirs. */
const SERVER = 'birdhouse.simulated'

/**
 * Connects one more account of a simulated platform, without its pages: goes the way of a person, who takes the next
 * account that the platform offers. `byForm` connects with what is typed, where the platform has no page. Once all are
 * connected, an account is connected again. Throws CHANNEL_REFUSED where platforms aren't simulated.
 */
export async function connectSimulated(
  c: DetachedContext<typeof endpoint>,
  deps: ConnectDeps,
  byForm: (fields: Record<string, string>) => Promise<Connected>,
): Promise<Connected> {
  const { SIMULATED_PLATFORMS: base } = deps.env
  if (base === undefined) throw fail('CHANNEL_REFUSED', { detail: ONLY_IN_DEVELOPMENT })
  const { platform } = c.params
  const known = await c.inTenant(async (t) =>
    (await findChannels(t.tx, { orgId: t.org.orgId, project: t.project, now: t.now })).filter(
      (one) => one.platformName === platform,
    ),
  )
  if (deps.platforms(platform)?.connect.withCredentials)
    return await byForm(typedFields(deps.env, c.project.projectId, known.length))

  const { url } = await begin({ ...c, query: platformRules[platform].server ? { domain: SERVER } : {} }, deps)
  const answer = await allow(url, base, known.length)
  const { flowId, accounts } = await takeAnswer({ ...c, body: { state: '', ...Object.fromEntries(answer) } }, deps)
  const account = accounts.find(({ connected }) => !connected) ?? accounts[0]
  if (!account) throw fail('CHANNEL_REFUSED', { detail: "The simulated platform didn't offer an account." })
  const { channels, message } = await c.inTenant((t) =>
    confirm({ ...c, ...t, body: { flowId, profiles: [account.remoteId] } }, deps),
  )
  const [channel] = channels
  if (!channel) throw new Error('the channel that was just stored is not there')
  return { channel, message: message ?? '' }
}

/** Whatever is typed, the simulator has such an account: one of its own for each project, so that tries don't meet. */
function typedFields({ SIMULATOR_PORT }: Env, projectId: string, nth: number): Record<string, string> {
  return {
    handle: `rook${nth + 1}-${projectId.slice(-6)}.sim.test`,
    appPassword: 'simulated',
    service: `http://127.0.0.1:${SIMULATOR_PORT}`,
  }
}

/** What a person does on the simulated page: takes one of its accounts and allows. What the browser would be sent back with. */
async function allow(url: string, base: string, nth: number): Promise<URLSearchParams> {
  if (!url.startsWith(`${base}/`)) throw fail('CHANNEL_REFUSED', { detail: ONLY_IN_DEVELOPMENT })
  const signal = AbortSignal.timeout(CONNECT_MS)
  const page = await fetch(url, { signal, redirect: 'manual' }).catch(away)
  const people = [...(await page.text()).matchAll(/name="sim_account" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const allowed = new URL(url)
  allowed.searchParams.set('sim_account', people[nth % people.length] ?? '')
  const reply = await fetch(allowed, { signal, redirect: 'manual' }).catch(away)
  const location = reply.headers.get('location')
  if (location === null)
    throw fail('CHANNEL_REFUSED', { detail: `The page of the simulator answered ${reply.status}.` })
  return new URL(location).searchParams
}

const away = (): never => {
  throw fail('CHANNEL_UNREACHABLE')
}

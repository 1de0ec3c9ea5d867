import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { sentenceOf } from '#contract/failures/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Platform, SignedIn } from '../server/platforms/platform.ts'
import { createSafeFetch } from '../server/platforms/safeFetch.ts'
import { simulated } from '../server/platforms/simulated.ts'
import { consent } from '../server/simulators/start.ts'
import { firstLine } from '../server/testing/harness.ts'

/* The simulated platforms besides Bluesky as a process of their own, for benches of publishing. */

const PEOPLE_AT_ONCE = 8

/** Starts them. What the platforms' descriptions say is the conformance suite's: checking it would be measured here. */
export async function startSimulators(): Promise<{ base: string; allow: string; stop: () => void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../server/simulators/main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CI: undefined, PLATFORM_SPECS: '/none' },
  })
  const base = await firstLine(child)
  return { base, allow: new URL(base).host, stop: () => void child.kill('SIGKILL') }
}

/** This many people, and the first account that each of them is offered. */
export async function signInTo(platform: Platform, simulators: string, count: number): Promise<SignedIn[]> {
  const { ids } = z
    .object({ ids: z.array(z.string()) })
    .parse(await tell(simulators, 'people', { platform: platform.key, count }))
  const reach = {
    fetch: simulated(createSafeFetch({ allow: [new URL(simulators).host] }), platform.hosts, simulators),
    signal: new AbortController().signal,
    app: { clientId: 'app', clientSecret: 'hush' },
  }
  const signIn = async (account: string): Promise<SignedIn> => {
    const page = platform.connect.withPage ?? never(`${platform.key} has no page to sign in on`)
    const begun = await page.begin(reach, {
      redirectUri: 'https://rookery.test/callback',
      state: 'a-state',
      domain: 'birdhouse.simulated',
    })
    if (begun.kind !== 'begun') throw new Error(`${platform.key}: ${sentenceOf(begun.reason)}`)
    const back = await consent(simulators, begun.url, { account })
    const answer = await page.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
    if (answer.kind !== 'accounts') throw new Error(`${platform.key}: ${sentenceOf(answer.reason)}`)
    return answer.accounts[0] ?? never('no account')
  }
  const signed: SignedIn[] = []
  for (let from = 0; from < ids.length; from += PEOPLE_AT_ONCE)
    signed.push(...(await Promise.all(ids.slice(from, from + PEOPLE_AT_ONCE).map(signIn))))
  return signed
}

const Shown = z.object({ posts: z.array(z.object({ text: z.string(), createdAt: z.number() })) })

/** What was published on a platform, and when it was committed there. */
export async function publishedAt(simulators: string, key: PlatformKey): Promise<{ text: string; at: number }[]> {
  const { posts } = Shown.parse(await (await fetch(`${simulators}/sim/posts/${key}`)).json())
  return posts.map(({ text, createdAt }) => ({ text, at: createdAt }))
}

/** Gives the simulators one of their orders. */
export async function tell(simulators: string, what: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${simulators}/sim/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`)
  return await answer.json()
}

function never(what: string): never {
  throw new Error(what)
}

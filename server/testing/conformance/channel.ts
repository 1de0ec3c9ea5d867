import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { AccountRef, Platform, Reach, Secret } from '../../platforms/platform.ts'
import { createSafeFetch, type SafeRequest, type StreamedBody } from '../../platforms/safeFetch.ts'
import { simulated } from '../../platforms/simulated.ts'
import type { Visitor } from '../platforms/visitor.ts'

/** An account of a simulated platform that was signed in to, as the product would, and what was said on its behalf. */
export type Channel = {
  key: PlatformKey
  platform: Platform
  reach: Reach
  secret: Secret
  expiresAt: Date | null
  account: AccountRef
  missing: readonly string[]
  /** Addresses and bodies of requests since it was emptied last, decoded. Streamed bodies are left out. */
  said: string[]
}

export const SERVER = 'birdhouse.simulated'
const redirectUri = 'https://rookery.test/callback'
const APP = { clientId: 'app', clientSecret: 'hush' }

/** Signs in on the platform's page by one of its ways, with the first account that it offers. Throws what the adapter refuses. */
export async function connectTo(visit: Visitor, platform: Platform, variant?: string): Promise<Channel> {
  const said: string[] = []
  const plain = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = {
    fetch: async (url, request) => {
      said.push(decoded(`${url}\n${textOf(request.body)}`))
      return await plain(url, { ...request, ...(isStreamed(request.body) && { body: overheard(request.body, said) }) })
    },
    signal: new AbortController().signal,
    app: APP,
  }
  const page = platform.connect.withPage
  if (!page) throw new Error('it has no page to sign in on')
  const begun = await page.begin(reach, { redirectUri, state: 'a-state', domain: SERVER, ...(variant !== undefined && { variant }) })
  if (begun.kind !== 'begun') throw new Error(`begin: ${begun.reason.text}`)
  const back = await visit.consent(begun.url)
  const answer = await page.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer.kind !== 'accounts') throw new Error(`answer: ${answer.reason.text}`)
  const [first] = answer.accounts
  if (!first) throw new Error('no account was offered')
  return { key: platform.key, platform, reach, secret: first.secret, expiresAt: first.expiresAt, account: first.account, missing: first.missing ?? [], said }
}

/** Renews the sign-in when its adapter says that it is time, as the publisher does before each call. */
export async function keepSignedIn(channel: Channel, now: number): Promise<void> {
  const { connect } = channel.platform
  if (!connect.needsRefresh(channel.secret, channel.expiresAt, new Date(now))) return
  const answer = await connect.refresh(channel.reach, channel.secret, channel.account)
  if (answer.kind !== 'refreshed') throw new Error(`refresh: ${answer.kind} ${answer.reason.text}`)
  channel.secret = answer.secret
  channel.expiresAt = answer.expiresAt
}

const isStreamed = (body: SafeRequest['body']): body is StreamedBody => typeof body === 'object' && 'open' in body

/** What stands around the file in a form is said too; the file itself is not kept. */
function overheard(body: StreamedBody, said: string[]): StreamedBody {
  return {
    ...body,
    async *open() {
      for await (const piece of body.open()) {
        if (piece.length < 10_000) said.push(decoded(Buffer.from(piece).toString('utf8')))
        yield piece
      }
    },
  }
}

function textOf(body: SafeRequest['body']): string {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
}

/** Percent signs and JSON's escapes undone as far as they go: words are looked for, not understood. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ').replaceAll(String.raw`\/`, '/')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

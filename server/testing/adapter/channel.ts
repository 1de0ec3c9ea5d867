import { sentenceOf } from '#contract/failures/catalog.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { AccountRef, AppCredentials, Platform, Reach, Secret, SignedIn } from '../../platforms/platform.ts'
import { createSafeFetch } from '../../platforms/safeFetch.ts'
import type { SafeRequest, StreamedBody } from '../../platforms/safeHttp.ts'
import { simulated } from '../../platforms/simulated.ts'
import type { Visitor } from '../visitor.ts'

/** A signed-in account on a simulated platform, as the product would have it, with the requests made on its behalf. */
export type Channel = {
  key: PlatformKey
  platform: Platform
  reach: Reach
  secret: Secret
  expiresAt: Date | null
  account: AccountRef
  missing: readonly string[]
  /** Everything that the sign-in offered; the channel is one of these. */
  signedIn: readonly SignedIn[]
  /** URLs and bodies of requests since it was last emptied, decoded. For streamed bodies without the file. */
  said: string[]
}

/** The server of a federated account, unless another is requested. */
const SERVER = 'birdhouse.simulated'
const redirectUri = 'https://rookery.test/callback'

export type SignInAsk = {
  domain?: string
  /** One of the ways to connect that the platform's rules offer. */
  variant?: string
  /** Null if none is registered. */
  app?: AppCredentials | null
  /** What the person does on the page. */
  consent?: Parameters<Visitor['consent']>[1]
  /** Chooses among several accounts; the first by default. */
  pick?: (account: SignedIn) => boolean
}

/** A client ID that names the way to connect: simulators derive an app's products from it. */
const clientOf = (key: PlatformKey, variant: string | undefined): string =>
  `app-of-${platformRules[key].app?.variants?.find(({ value }) => value === variant)?.appOf ?? key}`

/** Signs in on the platform's page as a person would. Throws the adapter's refusals. */
export async function signIn(
  visit: Visitor,
  platform: Platform,
  {
    domain = SERVER,
    variant,
    app = { clientId: clientOf(platform.key, variant), clientSecret: 'hush' },
    consent,
    pick = () => true,
  }: SignInAsk = {},
): Promise<Channel> {
  const said: string[] = []
  const plain = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = {
    fetch: async (url, request) => {
      said.push(decoded(`${url}\n${textOf(request.body)}`))
      return await plain(url, { ...request, ...(isStreamed(request.body) && { body: overheard(request.body, said) }) })
    },
    signal: new AbortController().signal,
    ...(app && { app }),
  }
  const page = platform.connect.withPage
  if (!page) throw new Error('it has no page to sign in on')
  const begun = await page.begin(reach, {
    redirectUri,
    state: 'a-state',
    domain,
    ...(variant !== undefined && { variant }),
  })
  if (begun.kind !== 'begun') throw new Error(`begin: ${sentenceOf(begun.reason)}`)
  const back = await visit.consent(begun.url, consent)
  const answer = await page.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer.kind !== 'accounts') throw new Error(`answer: ${sentenceOf(answer.reason)}`)
  const chosen = answer.accounts.find(pick)
  if (!chosen) throw new Error('no such account was offered')
  return {
    key: platform.key,
    platform,
    reach,
    secret: chosen.secret,
    expiresAt: chosen.expiresAt,
    account: chosen.account,
    missing: chosen.missing ?? [],
    signedIn: answer.accounts,
    said,
  }
}

/** Renews the sign-in if its adapter says that it's time, as the publisher does before each call. */
export async function keepSignedIn(channel: Channel, now: number): Promise<void> {
  if (channel.platform.connect.needsRefresh(channel.secret, channel.expiresAt, new Date(now))) await renew(channel)
}

/** Renews the sign-in regardless of its age. Throws if a person would have to sign in again. */
export async function renew(channel: Channel): Promise<void> {
  const answer = await channel.platform.connect.refresh(channel.reach, channel.secret, channel.account)
  if (answer.kind !== 'refreshed') throw new Error(`refresh: ${answer.kind} ${sentenceOf(answer.reason)}`)
  channel.secret = answer.secret
  channel.expiresAt = answer.expiresAt
}

const isStreamed = (body: SafeRequest['body']): body is StreamedBody => typeof body === 'object' && 'open' in body

/** Records a form's fields, but not its file. */
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

/** Decodes percent-encoding and JSON escapes as far as possible: the text is only searched. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ').replaceAll(String.raw`\/`, '/')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

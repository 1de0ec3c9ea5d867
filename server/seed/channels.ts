import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import type { Platform, Reach, SignedIn } from '../platforms/platform.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { shopPlatforms, shops } from './content.ts'
import { startPlatforms } from '../simulators/start.ts'

/** An account on a simulated platform, and what a post on it has besides text. */
export type SeededAccount = {
  platform: PlatformKey
  signedIn: SignedIn
  /** The app behind the sign-in; absent if none is needed. */ clientId?: string
  variant: string | null
  details: AdditionalDetails
  /** Of the accounts on its platform: 0 is the brand's, the others are its shops'. */
  place: number
}

/** The person that `npm run dev` signs in as, too. */
const APP = { clientId: 'simulated', clientSecret: 'simulated' }
/** Its name says that it has LinkedIn's Community Management API (docs/simulators.md). */
const PAGES_APP = { clientId: 'simulated-linkedin_pages', clientSecret: 'simulated' }
const TIMEOUT_MS = 30_000
/** People with accounts on every simulated platform. */
const PEOPLE = 5

/**
 * Signs in to one account on every simulated platform except Bluesky, and to those of the shops, on its own page, as a
 * person would. The simulators only run during this; those of `npm run dev` accept the same tokens.
 */
export async function signInEverywhere(publicUrl: string): Promise<SeededAccount[]> {
  const outside = await startPlatforms()
  try {
    const platforms = composePlatforms({ plcDirectory: outside.base, publicUrl })
    const fetch = simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base)
    const accounts = []
    for (const key of platformKeys) {
      const platform = platforms(key)
      if (!platform || platform.connect.withCredentials) continue
      const most = shopPlatforms.includes(key) ? 1 + shops.length : 1
      const found = new Map<string, SeededAccount>()
      // people who manage several accounts offer all of them
      for (let person = 0; found.size < most && person < PEOPLE; person += 1)
        for (const one of await signIn(key, platform, publicUrl, fetch, (url) =>
          outside.consent(url, { nth: person }),
        )) {
          const { account, kind } = one.signedIn
          const isAlike = [...found.values()].every(({ signedIn }) => signedIn.kind === kind)
          if (found.size < most && isAlike && !found.has(account.remoteId))
            found.set(account.remoteId, { ...one, place: found.size })
        }
      accounts.push(...found.values())
    }
    return accounts
  } finally {
    await outside.stop()
  }
}

async function signIn(
  key: PlatformKey,
  { connect, lookups }: Platform,
  publicUrl: string,
  fetch: Reach['fetch'],
  consent: (url: string) => Promise<URL>,
): Promise<Omit<SeededAccount, 'place'>[]> {
  const { app, server } = platformRules[key]
  // LinkedIn lets apps read what people write to Pages only
  const variant = (app?.variants?.find(({ value }) => value === 'pages') ?? app?.variants?.[0])?.value ?? null
  const credentials = variant === 'pages' ? PAGES_APP : APP
  const reach: Reach = { fetch, signal: AbortSignal.timeout(TIMEOUT_MS), ...(app && { app: credentials }) }
  const begun = await connect.withPage?.begin(reach, {
    redirectUri: `${publicUrl}/oauth/${key}/callback`,
    state: 'seed',
    ...(server && { domain: 'birdhouse.simulated' }),
    ...(variant !== null && { variant }),
  })
  if (begun?.kind !== 'begun') throw new Error(`${key} did not begin: ${JSON.stringify(begun)}`)
  const back = await consent(begun.url)
  const answer = await connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  const [first, ...others] = answer?.kind === 'accounts' ? answer.accounts : []
  if (!first) throw new Error(`${key} offered no account: ${JSON.stringify(answer)}`)
  const boards = await lookups?.boards?.(reach, first.secret, first.account, { query: '', limit: 1 })
  const board = boards?.kind === 'found' ? boards.items[0] : undefined
  return [first, ...others.filter(({ kind }) => kind === first.kind)].map((signedIn) => ({
    platform: key,
    signedIn,
    ...(app && { clientId: credentials.clientId }),
    variant,
    details: board ? { boardId: board.id } : {},
  }))
}

import type { Account, Platform, Secret } from '../platforms/platform.ts'
import { FacebookSecret } from '../platforms/facebook/schemas.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import type { RunningPlatforms } from '../simulators/start.ts'

/** So many Pages of the simulated Facebook, each of another person who signed in: the first as people do, the others alike. */
export async function signInToPages(
  outside: RunningPlatforms,
  { connect }: Platform,
  fetch: SafeFetch,
  count: number,
): Promise<{ account: Pick<Account, 'remoteId' | 'handle' | 'service'>; secret: Secret }[]> {
  const { state } = outside.platform('facebook')
  const reach = {
    fetch,
    signal: new AbortController().signal,
    app: { clientId: 'simulated', clientSecret: 'simulated' },
  }
  const begun = await connect.withPage?.begin(reach, { redirectUri: 'https://rookery.test/callback', state: 'a-state' })
  if (begun?.kind !== 'begun') throw new Error(JSON.stringify(begun))
  const back = await outside.consent(begun.url)
  const answer = await connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  const first = answer?.kind === 'accounts' ? answer.accounts[0] : undefined
  if (!first) throw new Error(JSON.stringify(answer))
  const secret = FacebookSecret.parse(first.secret)
  const token = state.tokens.get(secret.accessToken)
  if (!token) throw new Error('Facebook issued another token')
  const people = new Set(state.morePeople(count - 1))
  const others = state.accounts.filter(({ id }) => people.has(id)).flatMap(({ owns }) => owns[0] ?? [])
  return [
    { account: first.account, secret: first.secret },
    ...others.map((page) => ({
      account: { remoteId: page.id, handle: page.handle, service: null },
      secret: {
        ...secret,
        pageId: page.id,
        accessToken: state.issue('page', { ...token, account: page.id }, null, token.issuedAt).text,
      },
    })),
  ]
}

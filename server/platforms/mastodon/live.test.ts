import { it } from 'vitest'
import { playRound } from '../../testing/adapter/mastodonRound.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createMastodon } from './adapter.ts'
import { readInstance, toldNothing } from './instance.ts'
import { Credentials, type MastodonSecret } from './schemas.ts'

/* Against a real server, whichever is named, on this machine too. The same round is played against the simulator (simulated.test.ts). */

const { MASTODON_LIVE_URL: url, MASTODON_LIVE_TOKEN: accessToken } = process.env
if (!url || !accessToken)
  console.info(
    'Mastodon: the suite against a real server was left out, since MASTODON_LIVE_URL and MASTODON_LIVE_TOKEN are not set.',
  )

it.runIf(url && accessToken)(
  'publishes a thread with a picture and a comment, reconciles, edits and deletes it',
  { timeout: 180_000 },
  async () => {
    const { origin, host, hostname, port, protocol } = new URL(url ?? '')
    const platform = createMastodon()
    const reach = {
      fetch: createSafeFetch({ allow: [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`] }),
      signal: AbortSignal.timeout(170_000),
    }
    const me = await reach.fetch(`${origin}/api/v1/accounts/verify_credentials`, {
      headers: { authorization: `Bearer ${accessToken}` },
      timeoutMs: 15_000,
      maxBytes: 1_000_000,
    })
    if (me.kind !== 'answer' || me.status !== 200)
      throw new Error(me.kind === 'answer' ? `verify_credentials answered ${me.status}` : me.detail)
    const { id: userId, username } = Credentials.parse(JSON.parse(new TextDecoder().decode(me.body)))
    const { domain, limits } = (await readInstance(reach, origin)) ?? toldNothing
    const secret: MastodonSecret = {
      accessToken: accessToken ?? '',
      origin,
      domain: domain ?? host,
      userId,
      username,
      clientId: '',
      clientSecret: '',
      scopes: [],
      limits,
    }
    const account = { remoteId: `${userId}@${host}`, handle: `@${username}@${secret.domain}`, service: origin }
    const at = new Date(Date.parse(me.headers.date ?? '') || Number.NaN)
    if (Number.isNaN(at.getTime())) throw new Error('the server does not tell its time')
    await playRound({ platform, reach, secret, account }, at)
  },
)

import { expect, it } from 'vitest'
import { outgoingPost } from '../../testing/outgoing.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createMastodon } from './adapter.ts'
import { readInstance, toldNothing } from './instance.ts'
import { Credentials, type MastodonSecret } from './schemas.ts'

/* Against a real server, whichever is named; what is published there is for followers only and deleted again. */

const { MASTODON_LIVE_URL: url, MASTODON_LIVE_TOKEN: accessToken } = process.env
if (!url || !accessToken) console.info('Mastodon: the suite against a real server was left out, since MASTODON_LIVE_URL and MASTODON_LIVE_TOKEN are not set.')

it.runIf(url && accessToken)('a thread with a comment goes out, is found by settling, is changed and deleted', { timeout: 120_000 }, async () => {
  const { origin, host } = new URL(url ?? '')
  const { publish, connect } = createMastodon()
  const reach = { fetch: createSafeFetch({ allow: [] }), signal: AbortSignal.timeout(110_000) }
  const me = await reach.fetch(`${origin}/api/v1/accounts/verify_credentials`, { headers: { authorization: `Bearer ${accessToken}` }, timeoutMs: 15_000, maxBytes: 1_000_000 })
  if (me.kind !== 'answer') throw new Error(me.detail)
  const { id: userId, username } = Credentials.parse(JSON.parse(new TextDecoder().decode(me.body)))
  const { domain, limits } = (await readInstance(reach, origin)) ?? toldNothing
  const secret: MastodonSecret = { accessToken: accessToken ?? '', origin, domain: domain ?? host, userId, username, clientId: '', clientSecret: '', scopes: [], limits }
  const account = { remoteId: `${userId}@${host}`, handle: `@${username}@${host}`, service: origin }
  expect(await connect.check?.(reach, secret, account)).toMatchObject({ kind: 'works' })
  // times of the server decide what is found
  const at = new Date(Date.parse(me.headers.date ?? '') || 0)
  const sendKey = publish.chooseSendKey(at)
  const post = outgoingPost({ contents: [{ text: `Rookery test ${sendKey} & <b> https://example.com/?a=1&b=2`, media: [] }, { text: `Second ${sendKey}`, media: [] }], details: { privacy: 'private', contentWarning: 'A test' }, createdAt: at, sendKey })
  const sent = await publish.send(reach, secret, account, post)
  if (sent.kind !== 'sent') throw new Error(JSON.stringify(sent))
  try {
    expect(await publish.send(reach, secret, account, post)).toMatchObject({ kind: 'sent', remoteId: sent.remoteId })
    expect(await publish.settle(reach, secret, account, post)).toMatchObject({ kind: 'sent', remoteId: sent.remoteId })
    expect(await publish.readBack(reach, secret, account, post, sent.remoteId)).toMatchObject({ kind: 'live' })
    const part = { key: 'item 1', kind: 'item' as const, item: 1, sendKey: `${sendKey}/item 1`, progress: {}, sent: [{ key: 'post', remoteId: sent.remoteId, progress: {} }] }
    const second = await publish.sendPart?.(reach, secret, account, post, part)
    expect(second).toMatchObject({ kind: 'sent' })
    expect(await publish.settlePart?.(reach, secret, account, post, part)).toMatchObject({ kind: 'sent', remoteId: second?.kind === 'sent' ? second.remoteId : '' })
    expect(await publish.edit?.(reach, secret, account, { ...post, contents: [{ text: `Changed ${sendKey}`, media: [] }, ...post.contents.slice(1)] }, sent.remoteId)).toMatchObject({ kind: 'edited' })
  } finally {
    expect(await publish.remove?.(reach, secret, account, sent.remoteId)).toEqual({ kind: 'removed' })
  }
  expect(await publish.readBack(reach, secret, account, post, sent.remoteId)).toEqual({ kind: 'missing' })
})

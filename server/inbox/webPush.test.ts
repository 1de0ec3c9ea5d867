import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectSimulated } from '#contract/connect.ts'
import { listConversations } from '#contract/inbox/conversations.ts'
import { inboxPush } from '#contract/inbox/pushes.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { createPushKeys } from '../platforms/webPush.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import type { SentByPlatform } from '../simulators/world.ts'
import { addSecretKey } from '../delivery/secrets.ts'
import { asSystem } from '../db/system.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { deliveriesJob } from './applyDeliveries.ts'
import { readDueInboxes } from './read.ts'
import { eraseExpired } from './retention.ts'
import { inboxRoutes } from './routes.ts'
import { resealPushKeys } from './pushAddress.ts'

/* A Mastodon server that notifies us by Web Push: the channel is read at once, and not when it's due. */

const PUBLIC_URL = 'https://rookery.test'

let outside: RunningPlatforms
let app: TestApp
let home: TestHome
let channelId: string
let us: string
beforeAll(async () => {
  outside = await startPlatforms({ now: () => app.clock.now().getTime() })
  const platforms = composePlatforms({ plcDirectory: outside.base, publicUrl: PUBLIC_URL })
  const mastodon = platforms('mastodon')
  app = await startApp({
    env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: outside.base },
    // servers send only to addresses that they reach from outside
    routes: (composed, deps) => [
      ...composed.filter(({ endpoint }) => endpoint !== inboxPush),
      ...inboxRoutes({ ...deps, env: { ...deps.env, publicUrl: PUBLIC_URL } }).filter(
        ({ endpoint }) => endpoint === inboxPush,
      ),
    ],
    platforms: mastodon ? { mastodon } : {},
    fetch: simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base),
  })
})
afterAll(async () => {
  await app.close()
  await outside.stop()
})
beforeEach(async () => {
  for (const table of ['inbox_push', 'inbox_cursor', 'channel', 'push_address'])
    await app.database.owner.query(`delete from ${table}`)
  for (const token of world().tokens.values()) token.revoked = true
  world().outbox.length = 0
  world().posts.clear()
  world().switches.clear()
  // the server registers five apps in ten minutes at most
  app.clock.advance({ minutes: 11 })
  home = await paying()
  ;({ channelId, us } = await connect(home))
})

async function paying(): Promise<TestHome> {
  const owner = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [owner.orgId])
  return owner
}
const world = () => outside.platform('mastodon').state
async function connect(of: TestHome): Promise<{ channelId: string; us: string }> {
  const params = { ...of.params, platform: 'mastodon' as const }
  const { channel } = await app.call(connectSimulated, { params }, { as: of.person })
  return { channelId: channel.channelId, us: /@([^@]+)@/.exec(channel.handle)?.[1] ?? '' }
}
const context = () => ({
  databases: app.parts.databases,
  clock: app.clock,
  log: quietLog,
  signal: new AbortController().signal,
})
const read = () => readDueInboxes({ ...app.parts, env: { publicUrl: PUBLIC_URL } }, context())
const apply = () => deliveriesJob({ platforms: app.parts.platforms }).perform(context(), {})
/** Someone mentions the account; what the server sends of it. */
function mention(text: string): SentByPlatform[] {
  const other = world().accounts.find(({ handle }) => handle !== us)
  world().publish(
    { account: other?.id ?? '', kind: 'status', text: `@${us} ${text}`, more: { visibility: 'public' } },
    app.clock.now().getTime(),
  )
  return world().outbox.splice(0)
}
async function deliver({ url, headers, body, answered }: SentByPlatform): Promise<number> {
  const { statusCode } = await app.app.inject({ method: 'POST', url: new URL(url).pathname, headers, payload: body })
  answered(statusCode)
  return statusCode
}
const listed = async (of = home, id = channelId) =>
  (await app.call(listConversations, { params: of.params, query: { channelId: id } }, { as: of.person })).conversations
const stored = async () => (await app.database.owner.query('select * from inbox_push')).rows
/** The first reading, which also subscribes. */
async function subscribed(): Promise<void> {
  await read()
  app.clock.advance({ minutes: 1 })
}

describe('a notification by Web Push', () => {
  it.each([
    ['the standard', ''],
    ['the draft of earlier servers', 'before 4.4'],
  ])('by %s makes the channel read at once', async (_, version) => {
    world().switches.add(version)
    await subscribed()
    const [sent] = mention('open today?')
    if (!sent) throw new Error('the server sent nothing')
    expect(sent.headers['content-encoding']).toBe(version === '' ? 'aes128gcm' : 'aesgcm')
    await read()
    expect(await listed()).toEqual([])
    expect(await deliver(sent)).toBe(200)
    await apply()
    await read()
    expect(await listed()).toMatchObject([{ kind: 'mention', preview: `@${us} open today?` }])
  })

  it('is stored once however often it comes, without what it says', async () => {
    await subscribed()
    const [sent] = mention('a secret')
    if (!sent) throw new Error('the server sent nothing')
    expect([await deliver(sent), await deliver(sent)]).toEqual([200, 200])
    const rows = await stored()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  it('reaches every organization that has the account, which the server knows by one subscription', async () => {
    const other = await paying()
    const theirs = await connect(other)
    await app.database.owner.query(
      'update channel set remote_id = (select remote_id from channel where id = $1) where id = $2',
      [channelId, theirs.channelId],
    )
    await subscribed()
    const sent = mention('open today?')
    expect(new Set(sent.map(({ url }) => url)).size).toBe(1)
    for (const one of sent) await deliver(one)
    await apply()
    const { rows } = await app.database.owner.query(
      'select channel_id from inbox_cursor where next_at <= $1 and pushed_at is not null',
      [app.clock.now()],
    )
    expect(new Set(rows.map(({ channel_id: id }) => id))).toEqual(new Set([channelId, theirs.channelId]))
  })

  it('is refused without the keys of the address or signed by another server, and leaves nothing', async () => {
    await subscribed()
    const [sent] = mention('open today?')
    if (!sent) throw new Error('the server sent nothing')
    const changed = Buffer.from(sent.body)
    changed[100] = (changed[100] ?? 0) ^ 1
    const quiet = { ...sent, answered: () => undefined }
    expect(await deliver({ ...quiet, body: changed })).toBe(401)
    expect(await deliver({ ...quiet, body: Buffer.alloc(0) })).toBe(401)
    const forged = createPushKeys().publicKey
    expect(await deliver({ ...quiet, headers: { ...sent.headers, authorization: `vapid t=a.b.c,k=${forged}` } })).toBe(
      401,
    )
    expect(await deliver({ ...quiet, url: `${new URL(sent.url).origin}/api/public/inbox/mastodon/push/guess` })).toBe(
      404,
    )
    expect(await stored()).toEqual([])
    // it is the server's own, signed or not
    const { authorization: _, ...unsigned } = sent.headers
    expect(await deliver({ ...quiet, headers: unsigned })).toBe(200)
  })

  it('about something else reads nothing', async () => {
    await subscribed()
    const webPush = app.parts.platforms('mastodon')?.webPush
    for (const text of ['{"notification_type":"follow"}', '{}', 'no JSON', '[]'])
      expect(webPush?.kindsOf(text)).toEqual([])
  })
})

describe('a subscription', () => {
  it('that the server lost is created again within a day', async () => {
    await subscribed()
    const [first] = mention('one')
    first?.answered(410)
    expect(mention('two')).toEqual([])
    app.clock.advance({ days: 1 })
    await read()
    const [again] = mention('three')
    if (!again) throw new Error('the server sent nothing')
    expect(again.url).toBe(first?.url)
    expect(await deliver(again)).toBe(200)
  })

  it('is created with the sign-in that has the right, once someone reconnects', async () => {
    const { rows } = await app.database.owner.query<{ missing_rights: string[] }>(
      'select missing_rights from channel where id = $1',
      [channelId],
    )
    expect(rows).toEqual([{ missing_rights: [] }])
    await subscribed()
    await app.database.owner.query("update channel set status = 'DISCONNECTED', deleted_at = now() where id = $1", [
      channelId,
    ])
    const subscribedAt = async () =>
      (await app.database.owner.query("select subscribed_at from inbox_cursor where kind = 'mention'")).rows
    expect(await subscribedAt()).toEqual([{ subscribed_at: expect.any(Date) }])
    for (let more = 0; more < 5 && (await connect(home)).channelId !== channelId; more++);
    expect(await subscribedAt()).toContainEqual({ subscribed_at: null })
  })

  it('is forgotten with the last channel of its account: what the server still sends is refused', async () => {
    await subscribed()
    const [sent] = mention('one')
    if (!sent) throw new Error('the server sent nothing')
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [channelId])
    await eraseExpired(context())
    expect(await deliver(sent)).toBe(404)
    expect(mention('two')).toEqual([])
  })

  it('opens with the newest key after a rotation', async () => {
    await subscribed()
    const keys = addSecretKey(app.parts.env.DATA_DIR)
    const rotate = () => asSystem(app.parts.databases.system, (tx) => resealPushKeys(tx, keys))
    expect([await rotate(), await rotate()]).toEqual([1, 0])
  })
})

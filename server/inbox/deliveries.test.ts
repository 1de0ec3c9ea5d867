import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { listApps } from '#contract/apps.ts'
import { graphPush } from '../platforms/graphPush.ts'
import type { Platform } from '../platforms/platform.ts'
import { push as linkedinPush } from '../platforms/linkedin/push.ts'
import { received } from '../testing/inbox.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { sealApp } from '../apps/sealed.ts'
import { verifyTokenOf } from '../apps/verifyToken.ts'
import { limits } from '../http/limits.ts'
import { dataDeletionJob, deletionLimits } from './dataDeletion.ts'
import { deliveriesJob } from './applyDeliveries.ts'
import { eraseExpired } from './retention.ts'

/* What a platform sends by itself: signed, stored once, and applied to the channels of whose app signed it. */

const platform: Platform = {
  ...testPlatform({ key: 'facebook' }),
  inbox: {
    reads: [['mention', 'comment'], ['message']],
    read: async () => ({ kind: 'read', changes: [], cursor: {}, more: false }),
  },
  push: graphPush({ feed: 'comment', mention: 'mention' }),
}

let app: TestApp
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp({
    env: {
      FACEBOOK_CLIENT_ID: 'installed',
      FACEBOOK_CLIENT_SECRET: 'hush',
      LINKEDIN_CLIENT_ID: 'installed',
      LINKEDIN_CLIENT_SECRET: 'hush too',
    },
    platforms: { facebook: platform, linkedin: { ...testPlatform({ key: 'linkedin' }), push: linkedinPush } },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const table of ['inbox_push', 'inbox_delivery']) await app.database.owner.query(`delete from ${table}`)
  home = await app.signedInOwner()
  channelId = await connected(home, 'installed')
})

/** A channel of the Page 77 that was connected with this app, and is read in six hours. */
async function connected(of: TestHome, clientId: string): Promise<string> {
  const id = await contentOn(app.parts).channel(of, { remoteId: '77' })
  const { owner } = app.database
  await owner.query("update channel set platform = 'facebook' where id = $1", [id])
  await owner.query("update lane set platform = 'facebook', credentials = $2 where channel_id = $1", [id, clientId])
  await owner.query(
    `insert into inbox_cursor (org_id, channel_id, kind, began_at, next_at)
     select $1, $2, kind, $3, case when kind = 'comment' then 'infinity' else $3::timestamptz + interval '6 hours' end from unnest(array['mention', 'comment', 'message']) as k(kind)`,
    [of.orgId, id, app.clock.now()],
  )
  return id
}
const ownApp = async (
  of: TestHome,
  clientId: string,
  clientSecret: string,
  platformKey: 'facebook' | 'linkedin' = 'facebook',
) => {
  const sealed = sealApp(app.parts.secrets, { orgId: of.orgId, platform: platformKey }, clientSecret)
  await app.database.owner.query(
    'insert into app_credentials (org_id, platform, client_id, key_id, sealed, set_by, set_at) values ($1, $6, $2, $3, $4, $5, now())',
    [of.orgId, clientId, sealed.keyId, sealed.sealed, of.person.personId, platformKey],
  )
}
const payload = (field: string, id = '77') =>
  JSON.stringify({ object: 'page', entry: [{ id, time: 1, changes: [{ field }] }] })
const sign = (body: string, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const send = (body: string, secret = 'hush', clientId = 'installed') =>
  app.app.inject({
    method: 'POST',
    url: `/api/public/inbox/facebook/${clientId}`,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body, secret) },
    payload: body,
  })
const stored = async () => (await app.database.owner.query('select org_id, done_at from inbox_push order by id')).rows
const apply = ({ log = quietLog } = {}) =>
  deliveriesJob({ platforms: app.parts.platforms }).perform(
    { databases: app.parts.databases, clock: app.clock, log, signal: new AbortController().signal },
    {},
  )
const due = async (id: string) =>
  (
    await app.database.owner.query<{ kind: string }>(
      'select kind from inbox_cursor where channel_id = $1 and next_at <= $2 order by kind',
      [id, app.clock.now()],
    )
  ).rows.map(({ kind }) => kind)

describe('a notification of a platform', () => {
  it('is stored once however often it comes, and makes the reading of its kind due', async () => {
    for (let times = 0; times < 3; times++) expect((await send(payload('feed'))).statusCode).toBe(200)
    expect(await stored()).toEqual([{ org_id: null, done_at: null }])
    expect(await due(channelId)).toEqual([])
    await apply()
    // one reading brings mentions and comments, under the first of them
    expect(await due(channelId)).toEqual(['mention'])
    expect(await stored()).toEqual([{ org_id: null, done_at: app.clock.now() }])
  })

  it('is stored while another one, which came first, is still being announced to the job', async () => {
    const other = await app.parts.databases.system.connect()
    try {
      await other.query('begin')
      await other.query("select enqueue_job('inbox.deliveries', '{}', 'inbox.deliveries:all', null)")
      const answer = send(payload('feed'))
      await until(async () => (await stored()).length === 1, { what: 'a stored delivery' })
      await other.query('rollback')
      expect((await answer).statusCode).toBe(200)
    } finally {
      other.release()
    }
  })

  it('is read at once, and not with the next minute', async () => {
    const { owner } = app.database
    await owner.query('delete from graphile_worker._private_jobs')
    const enqueued = async () =>
      (await owner.query("select from graphile_worker.jobs where task_identifier = 'inbox.read'")).rowCount
    await apply()
    expect(await enqueued()).toBe(0)
    await send(payload('feed'))
    await apply()
    expect(await enqueued()).toBe(1)
  })

  it('reaches every organization that has the account, by the same app', async () => {
    const other = await app.signedInOwner()
    const theirs = await connected(other, 'installed')
    await send(JSON.stringify({ object: 'page', entry: [{ id: 77, messaging: [{}] }] }))
    await apply()
    expect([await due(channelId), await due(theirs)]).toEqual([['message'], ['message']])
  })

  it('is refused with a forged signature, and leaves nothing', async () => {
    for (const response of [await send(payload('feed'), 'guess'), await send(payload('feed'), 'hush', 'unknown')])
      expect(response.json()).toMatchObject({ code: 'SIGNATURE_REFUSED' })
    expect(await stored()).toEqual([])
  })

  it('says nothing about channels of others when an organization registered their app here', async () => {
    const forger = await app.signedInOwner()
    const own = await connected(forger, 'installed')
    await ownApp(forger, 'installed', 'a secret of my own')
    await send(payload('feed'), 'a secret of my own')
    await apply()
    expect([await due(channelId), await due(own)]).toEqual([[], ['mention']])
  })

  it('changes nothing when it makes no sense or is about nobody here, and is not stored', async () => {
    const many = JSON.stringify({ entry: [{ id: '78', changes: [{ field: 'feed' }] }] })
    for (const body of ['{"entry": 7}', 'no JSON at all', '[]', 'null', many, payload('feed', '7'.repeat(501))])
      expect((await send(body)).statusCode).toBe(200)
    expect(await stored()).toEqual([])
    await apply()
    expect(await due(channelId)).toEqual([])
  })

  it.each([
    ['nothing but numbers', (n: number) => JSON.stringify({ entry: Array.from({ length: n }, () => 0) })],
    ['nothing but empty entries', (n: number) => JSON.stringify({ entry: Array.from({ length: n }, () => ({})) })],
    [
      'one entry with senseless changes',
      (n: number) => JSON.stringify({ entry: [{ id: '77', changes: Array.from({ length: n }, () => 0) }] }),
    ],
  ])('that is a long list of %s stores nothing and fills no log', async (_what, body) => {
    const logged: object[] = []
    const warn = vi.spyOn(app.parts.log, 'warn').mockImplementation((facts) => void logged.push(facts))
    expect((await send(body(80_000))).statusCode).toBe(200)
    warn.mockRestore()
    expect(await stored()).toEqual([])
    expect(logged).toHaveLength(1)
    expect(inspect(logged).length).toBeLessThan(5_000)
  })

  it('about words that every object has is about nothing', async () => {
    for (const field of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect((await send(payload(field))).statusCode).toBe(200)
    expect(await stored()).toEqual([])
    const notifications = ['__proto__', 'constructor'].map((action) => ({ organizationalEntity: 'a', action }))
    expect(linkedinPush.parse(JSON.stringify({ notifications }))).toEqual(
      notifications.map(() => ({ accountRemoteId: 'a', kinds: [] })),
    )
  })

  it('with senseless entries among good ones tells what the good ones say', async () => {
    const good = { id: '77', changes: [{ field: 7 }, { field: 'mention' }] }
    await send(JSON.stringify({ entry: [7, {}, good, { id: '77', changes: 'none' }] }))
    await apply()
    expect(await due(channelId)).toEqual(['mention'])
  })

  it('is kept as whom it is about, and nothing of what was written', async () => {
    const changes = [{ field: 'feed', value: { message: 'a secret', from: { name: 'Maya' } } }, { field: 'likes' }]
    const entry = ['77', '78'].map((id) => ({ id, time: 1, changes, messaging: [{ text: 'another secret' }] }))
    await send(JSON.stringify({ object: 'page', entry: [...entry, ...entry] }))
    const { rows } = await app.database.owner.query<Record<string, unknown>>('select * from inbox_push')
    expect(rows).toEqual([
      {
        ...rows[0],
        platform: 'facebook',
        app_key: 'installed',
        org_id: null,
        told: [{ accountRemoteId: '77', kinds: ['comment', 'message'] }],
        received_at: app.clock.now(),
        tries: 0,
        failed: false,
        done_at: null,
      },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/secret|Maya/)
    expect(Object.keys(rows[0] ?? {})).toHaveLength(10)
  })

  it.each([
    ['zero byte', 'a\0b'],
    ['half a surrogate', 'a\ud800'],
  ])("about an account with a %s holds up no other tenant's", async (_what, id) => {
    const other = await app.signedInOwner()
    await ownApp(other, 'installed', 'a secret of my own')
    expect((await send(payload('feed', id), 'a secret of my own')).statusCode).toBe(200)
    await send(payload('feed'))
    await apply()
    expect(await due(channelId)).toEqual(['mention'])
  })

  it("that can't be applied holds up no other, is tried again after them, and is logged once", async () => {
    const { owner } = app.database
    const warned: unknown[] = []
    const log = { ...quietLog, warn: (...said: unknown[]) => void warned.push(said) }
    const poison = (digest: string) =>
      owner.query(
        `insert into inbox_push (platform, app_key, org_id, digest, told, received_at)
         values ('facebook', 'installed', null, $1, '[{"accountRemoteId": 7, "kinds": []}]', $2)`,
        [digest, app.clock.now()],
      )
    await poison('first')
    await send(payload('feed'))
    await poison('last')
    await apply({ log })
    expect(await due(channelId)).toEqual(['mention'])
    const states = async () =>
      (await owner.query('select tries, failed, done_at is null as open from inbox_push order by id')).rows
    const waiting = { tries: 1, failed: false, open: true }
    expect(await states()).toEqual([waiting, { tries: 0, failed: false, open: false }, waiting])
    expect(warned).toEqual([])
    // what comes later goes first
    await send(payload('feed', '77').replace('"time":1', '"time":2'))
    await apply({ log })
    await apply({ log })
    await apply({ log })
    const given = { tries: 3, failed: true, open: false }
    const done = { tries: 0, failed: false, open: false }
    expect(await states()).toEqual([given, done, given, done])
    expect(warned).toHaveLength(2)
  })

  it('of an app that nobody set up here is refused before its body is read', async () => {
    const { port } = new URL(await app.listen())
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    let said = ''
    socket.setEncoding('utf8').on('data', (text: string) => (said += text))
    socket.on('error', () => undefined)
    const headers = ['host: rookery.test', 'content-type: application/json', 'content-length: 250000', '', '{']
    socket.write(['POST /api/public/inbox/facebook/unknown HTTP/1.1', ...headers].join('\r\n'))
    await until(() => said.includes('SIGNATURE_REFUSED'), { what: 'the refusal' })
    socket.destroy()
    expect(said).toMatch(/^HTTP\/1.1 401 /)
  })

  it.each(['%00', 'a%00b', '%ff', 'k'.repeat(201)])('to %s is no error of ours', async (clientId) => {
    const { statusCode } = await send(payload('feed'), 'hush', clientId)
    expect([400, 401, 404]).toContain(statusCode)
  })

  it('of any size up to 256 kB is read', async () => {
    const body = (bytes: number) => payload('feed').padEnd(bytes)
    expect((await send(body(256_000))).statusCode).toBe(200)
    expect((await send(body(256_001))).statusCode).toBe(413)
    expect(await stored()).toHaveLength(1)
  })

  it("is refused beyond what an own app may send, with the time to wait, and the installation's isn't", async () => {
    const busy = await app.signedInOwner()
    await connected(busy, 'their-app')
    await ownApp(busy, 'their-app', 'a secret of my own')
    const theirs = (nonce: number) =>
      send(payload('feed').replace('"time":1', `"time":${nonce}`), 'a secret of my own', 'their-app')
    const { burst, perMinute } = limits.notifications.organization
    for (let sent = 0; sent < burst; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => send('{"entry":[]}', 'a secret of my own', 'their-app')))
    const refused = await theirs(1)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      429,
      String(Math.ceil(60 / perMinute)),
      { code: 'TOO_MANY_REQUESTS' },
    ])
    expect(await stored()).toEqual([])
    // others aren't counted, and neither is what isn't signed
    expect((await send(payload('feed'))).statusCode).toBe(200)
    app.clock.advance({ ms: 60_000 / perMinute })
    await send(payload('feed'), 'guess', 'their-app')
    expect([(await theirs(2)).statusCode, (await theirs(3)).statusCode]).toEqual([200, 429])
    expect(await stored()).toHaveLength(2)
  })

  it('that a node of the previous version stored whole is applied, and its body is gone', async () => {
    const { owner } = app.database
    const store = (body: string, doneAt: Date | null) =>
      owner.query(
        `insert into inbox_delivery (platform, app_key, org_id, digest, body, received_at, done_at)
         values ('facebook', 'installed', null, sha256(convert_to($1, 'UTF8')), $1, $2, $3)`,
        [body, app.clock.now(), doneAt],
      )
    await store('{"entry": 7}', null)
    await store(payload('feed', 'a\0b'), null)
    await store(payload('feed'), null)
    await store(payload('mention'), app.clock.now())
    await apply()
    expect(await due(channelId)).toEqual(['mention'])
    expect(await stored()).toEqual([{ org_id: null, done_at: app.clock.now() }])
    await eraseExpired({ ...app.parts, signal: new AbortController().signal })
    expect((await owner.query('select body from inbox_delivery')).rows).toEqual([])
  })

  it('is forgotten two days after it was applied', async () => {
    await send(payload('feed'))
    await apply()
    const erase = () => eraseExpired({ ...app.parts, signal: new AbortController().signal })
    app.clock.advance({ days: 2 })
    await erase()
    expect(await stored()).toHaveLength(1)
    app.clock.advance({ ms: 1 })
    await erase()
    expect(await stored()).toEqual([])
  })
})

describe("a request to delete a person's data", () => {
  const signedRequest = (userId: string, secret = 'hush') => {
    const json = JSON.stringify({ algorithm: 'HMAC-SHA256', user_id: userId, issued_at: 1 })
    const encoded = Buffer.from(json).toString('base64url')
    return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`
  }
  const ask = (signed: string, clientId = 'installed') =>
    app.app.inject({
      method: 'POST',
      url: `/api/public/inbox/facebook/${clientId}/data-deletion`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ signed_request: signed }).toString(),
    })
  const status = (url: string) => app.app.inject({ method: 'GET', url: new URL(url).pathname })
  const erase = (code: string) =>
    dataDeletionJob().perform(
      { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
      { code },
    )
  const Answer = z.object({ url: z.string(), confirmation_code: z.string() })
  const written = async (of: TestHome, id: string, from: string, text: string) =>
    (await received(app, of, { channelId: id, from, text })).itemId
  const shown = async (id: string) =>
    (
      await app.database.owner.query<{ text: string | null; name: string }>(
        'select i.text, p.name from inbox_item i join inbox_person p on p.org_id = i.org_id and p.id = i.person_id where i.channel_id = $1 order by i.id',
        [id],
      )
    ).rows

  it('erases what they wrote and their name, and tells them so under its code', async () => {
    await written(home, channelId, 'maya', 'Something of mine')
    await written(home, channelId, 'otis', 'Something of someone else')
    const answer = await ask(signedRequest('remote-maya'))
    expect(answer.statusCode).toBe(200)
    const { url, confirmation_code: code } = Answer.parse(answer.json())
    expect((await status(url)).body).toContain("We're deleting it now.")
    await erase(code)
    expect(await shown(channelId)).toEqual([
      { text: null, name: '' },
      { text: 'Something of someone else', name: 'Otis' },
    ])
    const told = await status(url)
    expect([told.headers['content-type'], told.body]).toEqual([
      'text/plain; charset=utf-8',
      expect.stringContaining(`Confirmation code: ${code}`),
    ])
    expect(told.body).toContain('We deleted it on')
    // the same request again has the same code, and nothing more is kept of it
    expect(Answer.parse((await ask(signedRequest('remote-maya'))).json())).toEqual({ url, confirmation_code: code })
    await erase(code)
    const kept = await app.database.owner.query('select user_id from data_deletion where code = $1', [code])
    expect(kept.rows).toEqual([{ user_id: null }])
  })

  it("of an organization's own app reaches no channel of others", async () => {
    const forger = await app.signedInOwner()
    const own = await connected(forger, 'installed')
    await ownApp(forger, 'installed', 'a secret of my own')
    await written(home, channelId, 'maya', 'Written to another organization')
    await written(forger, own, 'maya', 'Written to us')
    const { confirmation_code: code } = Answer.parse(
      (await ask(signedRequest('remote-maya', 'a secret of my own'))).json(),
    )
    await erase(code)
    expect(await shown(channelId)).toEqual([{ text: 'Written to another organization', name: 'Maya' }])
    expect(await shown(own)).toEqual([{ text: null, name: '' }])
  })

  it.each([
    ['a forged signature', () => signedRequest('remote-maya', 'guess'), 'installed'],
    [
      'another payload',
      () => `${signedRequest('remote-otis').split('.')[0]}.${signedRequest('remote-maya').split('.')[1]}`,
      'installed',
    ],
    ['no signature', () => 'nothing', 'installed'],
    ['an app that nobody knows', () => signedRequest('remote-maya'), 'unknown'],
  ])('is refused with %s, and leaves nothing', async (_what, signed, clientId) => {
    await app.database.owner.query('delete from data_deletion')
    expect((await ask(signed(), clientId)).json()).toMatchObject({ code: 'SIGNATURE_REFUSED' })
    expect((await app.database.owner.query('select 1 from data_deletion')).rowCount).toBe(0)
  })

  it.each([
    ['a zero byte', '1\0'],
    ['half a surrogate', '1\ud800'],
    ['nothing', ''],
    ['a text of 201 characters', '1'.repeat(201)],
  ])('is refused if its user is %s, and leaves nothing', async (_what, userId) => {
    await app.database.owner.query('delete from data_deletion')
    const answer = await ask(signedRequest(userId))
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { code: 'BAD_INPUT', detail: 'This request names no user. Nothing was deleted.' },
    ])
    expect((await app.database.owner.query('select 1 from data_deletion')).rowCount).toBe(0)
  })

  it('is refused beyond what an own app may ask for in a day, but not when it is repeated', async () => {
    const busy = await app.signedInOwner()
    await ownApp(busy, 'their-app', 'a secret of my own')
    const theirs = (userId: string) => ask(signedRequest(userId, 'a secret of my own'), 'their-app')
    await theirs('first')
    await app.database.owner.query("update budget set used = $1 where key like 'own-data-deletions:%'", [
      deletionLimits.organization.most,
    ])
    const refused = await theirs('second')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '86400'])
    expect((await theirs('first')).statusCode).toBe(200)
    expect((await ask(signedRequest('second'))).statusCode).toBe(200)
    app.clock.advance({ days: 1, ms: 1 })
    expect((await theirs('second')).statusCode).toBe(200)
  })

  it('of an own app can be looked up for 90 days, and of the installation for a year', async () => {
    await app.database.owner.query('delete from data_deletion')
    const busy = await app.signedInOwner()
    await ownApp(busy, 'their-app', 'a secret of my own')
    const codes = [await ask(signedRequest('one', 'a secret of my own'), 'their-app'), await ask(signedRequest('one'))]
    const [own = '', installed = ''] = codes.map((answer) => Answer.parse(answer.json()).confirmation_code)
    for (const code of [own, installed]) await erase(code)
    const kept = async () => {
      await erase('0'.repeat(24))
      return (await app.database.owner.query<{ code: string }>('select code from data_deletion')).rows.map(
        ({ code }) => code,
      )
    }
    app.clock.advance({ days: 90 })
    expect(new Set(await kept())).toEqual(new Set([own, installed]))
    app.clock.advance({ ms: 1 })
    expect(await kept()).toEqual([installed])
    app.clock.advance({ days: 275 })
    expect(await kept()).toEqual([])
  })

  it('is told to nobody who has no code', async () => {
    const nobody = await app.app.inject({ method: 'GET', url: `/api/public/data-deletion/${'0'.repeat(24)}` })
    expect(nobody.statusCode).toBe(404)
  })
})

describe('what an operator enters at the platform', () => {
  it('is listed with the app: the addresses of all its platforms, and the token that our check of the address takes', async () => {
    await ownApp(home, 'my-app', 'a secret of my own')
    const { apps } = await app.call(listApps, { params: { orgId: home.orgId } }, { as: home.person })
    const facebook = apps.find((one) => one.app === 'facebook')
    expect(facebook).toMatchObject({
      state: 'organization',
      webhooks: [{ platform: 'facebook', url: `http://rookery.test/api/public/inbox/facebook/my-app/${home.orgId}` }],
      verifyToken: verifyTokenOf('a secret of my own'),
      deletionUrl: 'http://rookery.test/api/public/inbox/facebook/my-app/data-deletion',
    })
    const challenge = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${facebook?.verifyToken}`
    const url = `${new URL(facebook?.webhooks[0]?.url ?? '').pathname}?${challenge}`
    expect((await app.app.inject({ method: 'GET', url })).body).toBe('1')
  })

  it("leaves out the token of the installation's app, which its administrator knows", async () => {
    const { apps } = await app.call(listApps, { params: { orgId: home.orgId } }, { as: home.person })
    expect(apps.find((one) => one.app === 'facebook')).toMatchObject({
      state: 'installation',
      webhooks: [{ platform: 'facebook', url: 'http://rookery.test/api/public/inbox/facebook/installed' }],
      verifyToken: null,
    })
  })
})

describe('the check of our address', () => {
  const ask = (query: string, platformKey = 'facebook') =>
    app.app.inject({ method: 'GET', url: `/api/public/inbox/${platformKey}/installed?${query}` })

  it('answers Meta with its challenge when it knows our word', async () => {
    const answer = await ask(`hub.mode=subscribe&hub.challenge=4711&hub.verify_token=${verifyTokenOf('hush')}`)
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      200,
      '4711',
      'text/plain; charset=utf-8',
    ])
  })

  it.each(['hub.mode=subscribe&hub.challenge=4711&hub.verify_token=guess', 'hub.challenge=4711', ''])(
    'answers nobody else: %s',
    async (query) => expect((await ask(query)).statusCode).toBe(404),
  )

  it('answers nothing for a platform that sends nothing', async () => {
    expect((await ask('challengeCode=1', 'mastodon')).statusCode).toBe(404)
  })
})

describe('the notifications of LinkedIn', () => {
  const raw = JSON.stringify({
    notifications: [
      { organizationalEntity: 'urn:li:organization:7', action: 'COMMENT' },
      { organizationalEntity: 'urn:li:organization:7', action: 'LIKE' },
    ],
  })

  it('are signed over a prefix of their own, and say what to read', () => {
    const signature = createHmac('sha256', 'hush').update(`hmacsha256=${raw}`).digest('hex')
    expect(linkedinPush.isSigned({ 'x-li-signature': signature }, raw, 'hush')).toBe(true)
    expect(linkedinPush.isSigned({ 'x-li-signature': signature }, `${raw} `, 'hush')).toBe(false)
    expect(linkedinPush.isSigned({}, raw, 'hush')).toBe(false)
    expect(linkedinPush.parse(raw)).toEqual([
      { accountRemoteId: 'urn:li:organization:7', kinds: ['comment'] },
      { accountRemoteId: 'urn:li:organization:7', kinds: [] },
    ])
  })

  const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
  const check = (challengeCode: string) =>
    app.app.inject({
      method: 'GET',
      url: `/api/public/inbox/linkedin/installed?${new URLSearchParams({ challengeCode }).toString()}`,
    })
  const mac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex')

  it('come to an address that signs a UUID', async () => {
    const answer = await check(code)
    expect([answer.statusCode, answer.headers['content-type'], answer.json()]).toEqual([
      200,
      'application/json',
      { challengeCode: code, challengeResponse: mac(code, 'hush too') },
    ])
  })

  it('is signed for each organization at the URL of its own app, no matter who entered its client ID first', async () => {
    const [squatter, owner] = [await app.signedInOwner(), await app.signedInOwner()]
    await ownApp(squatter, 'shared', 'a guess', 'linkedin')
    await ownApp(owner, 'shared', 'the real one', 'linkedin')
    const urlOf = async (of: TestHome): Promise<string> => {
      const { apps } = await app.call(listApps, { params: { orgId: of.orgId } }, { as: of.person })
      return new URL(apps.find((one) => one.app === 'linkedin')?.webhooks[0]?.url ?? '').pathname
    }
    const urls = [await urlOf(squatter), await urlOf(owner)]
    const answers = await Promise.all(
      urls.map((url) => app.app.inject({ method: 'GET', url: `${url}?challengeCode=${code}` })),
    )
    expect(answers.map((answer) => answer.json<{ challengeResponse: string }>().challengeResponse)).toEqual([
      mac(code, 'a guess'),
      mac(code, 'the real one'),
    ])
    // a secret reaches its own organization only, at every URL, the one without an organization included
    for (const of of [squatter, owner]) {
      const id = await contentOn(app.parts).channel(of, {
        remoteId: 'urn:li:organization:7',
      })
      await app.database.owner.query("update channel set platform = 'linkedin' where id = $1", [id])
      await app.database.owner.query(
        "update lane set platform = 'linkedin', credentials = 'shared' where channel_id = $1",
        [id],
      )
    }
    for (const url of [...urls, '/api/public/inbox/linkedin/shared'])
      for (const [of, secret] of [
        [squatter, 'a guess'],
        [owner, 'the real one'],
      ] as const) {
        await app.database.owner.query('delete from inbox_push')
        const answer = await app.app.inject({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', 'x-li-signature': mac(`hmacsha256=${raw}`, secret) },
          payload: raw,
        })
        expect([answer.statusCode, await stored()]).toEqual([200, [{ org_id: of.orgId, done_at: null }]])
      }
    const forged = await app.app.inject({
      method: 'POST',
      url: urls[1] ?? '',
      headers: { 'content-type': 'application/json', 'x-li-signature': mac(`hmacsha256=${raw}`, 'neither') },
      payload: raw,
    })
    expect(forged.json()).toMatchObject({ code: 'SIGNATURE_REFUSED' })
  })

  it("is signed for the installation, no matter who else entered its app's client ID", async () => {
    await ownApp(home, 'installed', 'a secret of my own', 'linkedin')
    expect((await check(code)).json()).toMatchObject({ challengeResponse: mac(code, 'hush too') })
  })

  it.each([
    `hmacsha256=${raw}`,
    raw,
    'hmacsha256=',
    `hmacsha256=${code}`,
    `${code}${raw}`,
    `${code}\n`,
    `\n${code}`,
    `${code} `,
    code.slice(1),
    `${code}a`,
    `{${code}}`,
    code.replaceAll('-', ''),
    '',
  ])("can't be forged with our check of the address: %j is not signed", async (challengeCode) => {
    const answer = await check(challengeCode)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain(mac(challengeCode, 'hush too'))
  })
})

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { dataDeletionJob } from './dataDeletion.ts'
import { deliveriesJob } from './deliveries.ts'
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
  await app.database.owner.query('delete from inbox_delivery')
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
const stored = async () => (await app.database.owner.query('select org_id, done_at from inbox_delivery')).rows
const apply = () =>
  deliveriesJob({ platforms: app.parts.platforms }).perform(
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
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

  it('changes nothing when it makes no sense, and is not tried forever', async () => {
    await send('{"entry": 7}')
    await send('no JSON at all')
    await apply()
    expect((await stored()).every(({ done_at: done }) => done !== null)).toBe(true)
    expect(await due(channelId)).toEqual([])
  })

  it('is forgotten a week after it was applied', async () => {
    await send(payload('feed'))
    await apply()
    app.clock.advance({ days: 7, ms: 1 })
    await eraseExpired({ ...app.parts, signal: new AbortController().signal })
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
      webhooks: [{ platform: 'facebook', url: 'http://rookery.test/api/public/inbox/facebook/my-app' }],
      verifyToken: verifyTokenOf('a secret of my own'),
      deletionUrl: 'http://rookery.test/api/public/inbox/facebook/my-app/data-deletion',
    })
    const challenge = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${facebook?.verifyToken}`
    const url = `${new URL(facebook?.webhooks[0]?.url ?? '').pathname}?${challenge}`
    expect((await app.app.inject({ method: 'GET', url })).body).toBe('1')
  })

  it("leaves out the token of the installation's app, which its administrator knows", async () => {
    const { apps } = await app.call(listApps, { params: { orgId: home.orgId } }, { as: home.person })
    expect(apps.find((one) => one.app === 'facebook')).toMatchObject({ state: 'installation', verifyToken: null })
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

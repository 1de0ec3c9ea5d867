import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCampaign } from '#contract/campaigns.ts'
import { setChannelLinks, setProjectLinks, type LinkSetting } from '#contract/links/settings.ts'
import { postLinks } from '#contract/links/postLinks.ts'
import { editPost, getPost, reschedulePost } from '#contract/posts.ts'
import { submitPost, type ComposedChannel, type Schedule, type Submit } from '#contract/submit.ts'
import { postApproval } from '#contract/workflows.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn } from '../testing/content.ts'
import { passesUntil } from '../testing/passesUntil.ts'
import type { TestHome } from '../testing/people.ts'
import { publishingOf } from '../testing/publishingOf.ts'
import { saying } from '../testing/reasons.ts'
import { countRoundTrips } from '../testing/roundTrips.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import type { Outgoing } from '../platforms/platform.ts'
import type { Publishing } from '../publishing/start.ts'

/* What is sent of links: from the settings to the platform, through the API and the engine. */

let app: TestApp
let home: TestHome
let channelId: string
let publishing: Publishing | undefined
/** Each post that the platform was given, and how it answers. */
let given: Outgoing[]
let isLost = false
let edited: Outgoing[]

const scripted = scriptedPlatform()
const platform = {
  ...scripted,
  publish: {
    ...scripted.publish,
    send: async (...call: Parameters<typeof scripted.publish.send>) => {
      given.push(call[3])
      return isLost
        ? { kind: 'unknown' as const, reason: saying('No answer.') }
        : { kind: 'sent' as const, remoteId: `remote ${call[3].postId}`, progress: {} }
    },
    sendFollowUp: async (...call: Parameters<NonNullable<typeof scripted.publish.sendFollowUp>>) => {
      given.push(call[3])
      return { kind: 'sent' as const, remoteId: `${call[4].key} ${call[3].postId}`, progress: {} }
    },
    reconcile: async (...call: Parameters<typeof scripted.publish.reconcile>) => {
      given.push(call[3])
      return { kind: 'absent' as const }
    },
    edit: async (...call: Parameters<NonNullable<typeof scripted.publish.edit>>) => {
      edited.push(call[3])
      return { kind: 'edited' as const, remoteId: call[4] }
    },
  },
}

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: platform }, env: { SHORT_URL: 'https://go.example' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home, { handle: '@acme.example' })
  given = []
  edited = []
  isLost = false
})
afterEach(async () => {
  await publishing?.stop({ drain: 1000 })
  publishing = undefined
})

const tags = { utm_source: '{platform}', utm_medium: 'social', utm_campaign: '{campaign}' }
const save = (setting: LinkSetting) =>
  app.call(setProjectLinks, { params: home.params, body: setting }, { as: home.person })
const tomorrow: Schedule = { type: 'ONCE', details: { utc: '2026-11-22T23:30:00.000Z', timezone: 'Europe/Berlin' } }

async function submit(
  text: string,
  { channel = {}, ...more }: Partial<Submit> & { channel?: Partial<ComposedChannel> } = {},
): Promise<string> {
  const body: Submit = {
    intent: 'SCHEDULE',
    channels: [{ channelId, postType: 'post', contents: [{ text, media: [] }], ...channel }],
    schedule: tomorrow,
    ...more,
  }
  const { posts } = await app.call(submitPost, { params: home.params, body }, { as: home.person })
  return posts[0]?.postId ?? ''
}
const read = (postId: string) => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
const now = async (postId: string) => {
  const { version } = await read(postId)
  await app.call(
    reschedulePost,
    { params: { ...home.params, postId }, body: { version, schedule: { type: 'NOW' } } },
    { as: home.person },
  )
}
const start = async () => void (publishing = await publishingOf(app, [platform]))
const reaches = (postId: string, state: string) =>
  passesUntil({ owner: app.database.owner, clock: app.clock }, async () => (await read(postId)).status === state)
const codes = async (postId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await app.database.owner.query<{ url: string; code: string }>(
        'select url, code from short_link where post_id = $1',
        [postId],
      )
    ).rows.map(({ url, code }) => [url, code]),
  )

describe('the links of a post', () => {
  it('are sent with the tags of the settings, on the day that the post is due in its own zone', async () => {
    await save({ tags: { utm_source: '{platform}', utm_content: '{channel} {date}' }, shorten: false })
    const id = await submit('See https://acme.example/new, and https://instagram.com/acme.', {
      channel: { firstComment: 'More: http://acme.example/?a=1#b' },
    })
    expect((await read(id)).contents[0]?.text).toBe('See https://acme.example/new, and https://instagram.com/acme.')
    await start()
    await reaches(id, 'PUBLISHED')
    // with its first comment, so that no other test is given it
    await passesUntil({ owner: app.database.owner, clock: app.clock }, async () => given.length >= 2)
    const sent = 'utm_source=bluesky&utm_content=acme.example%202026-11-23'
    expect(given[0]?.contents[0]?.text).toBe(`See https://acme.example/new?${sent}, and https://instagram.com/acme.`)
    expect(given[0]?.firstComment).toBe(`More: http://acme.example/?a=1&${sent}#b`)
  })

  it('are shortened in every part: threads, the first comment, and the details', async () => {
    await save({ tags: { utm_source: 'news' }, shorten: true })
    const id = await submit('https://acme.example/a', {
      channel: {
        contents: [
          { text: 'https://acme.example/a', media: [] },
          { text: 'again https://acme.example/a', media: [] },
        ],
        firstComment: 'https://acme.example/b',
        additionalDetails: {
          linkCard: { uri: 'https://acme.example/a', title: 'A', description: '', imageAssetId: null },
        },
      },
    })
    await start()
    await reaches(id, 'PUBLISHED')
    await passesUntil({ owner: app.database.owner, clock: app.clock }, async () => given.length >= 3)
    const known = await codes(id)
    expect(Object.keys(known).toSorted()).toEqual([
      'https://acme.example/a?utm_source=news',
      'https://acme.example/b?utm_source=news',
    ])
    const [a, b] = ['a', 'b'].map((at) => `https://go.example/s/${known[`https://acme.example/${at}?utm_source=news`]}`)
    for (const one of given) {
      expect(one.contents.map(({ text }) => text)).toEqual([a, `again ${a}`])
      expect(one.firstComment).toBe(b)
      expect(one.details).toMatchObject({ linkCard: { uri: a } })
    }
  })

  it('stay as they are without settings, and such a post stores nothing of them', async () => {
    const id = await submit('https://acme.example/a')
    await save({ tags, shorten: true })
    expect((await read(id)).additionalDetails).toEqual({})
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given[0]?.contents[0]?.text).toBe('https://acme.example/a')
  })

  it('follow the channel that differs, and what the post itself says', async () => {
    await save({ tags, shorten: true })
    await app.call(
      setChannelLinks,
      { params: { ...home.params, channelId }, body: { own: { tags: { utm_source: 'own' }, shorten: false } } },
      { as: home.person },
    )
    const ids = [
      await submit('1 https://acme.example'),
      await submit('2 https://acme.example', { channel: { additionalDetails: { linkTags: null } } }),
      await submit('3 https://acme.example', {
        channel: { additionalDetails: { linkTags: { utm_campaign: 'Only here' }, shorten: false } },
      }),
      await submit('4 no link', { channel: { additionalDetails: { linkTags: { utm_term: 'x' } } } }),
    ]
    await start()
    for (const id of ids) await reaches(id, 'PUBLISHED')
    expect(new Set(given.map((post) => post.contents[0]?.text))).toEqual(
      new Set([
        '1 https://acme.example?utm_source=own',
        '2 https://acme.example',
        '3 https://acme.example?utm_campaign=Only%20here',
        '4 no link',
      ]),
    )
  })

  it("name the post's campaign, and another one once it's changed", async () => {
    await save({ tags: { utm_campaign: '{campaign}' }, shorten: false })
    const campaign = async (name: string) =>
      (await app.call(createCampaign, { params: home.params, body: { name, color: 'blue' } }, { as: home.person }))
        .campaignId
    const [autumn, spring] = [await campaign('Autumn Sale'), await campaign('Spring')]
    const id = await submit('https://acme.example', { campaignIds: [autumn] })
    const post = await read(id)
    expect(post.additionalDetails.linkFacts).toMatchObject({ campaign: 'Autumn Sale', channel: 'acme.example' })
    const { contents, version, additionalDetails } = post
    await app.call(
      editPost,
      {
        params: { ...home.params, postId: id },
        body: { contents, version, additionalDetails, campaignIds: [spring] },
      },
      { as: home.person },
    )
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given[0]?.contents[0]?.text).toBe('https://acme.example?utm_campaign=spring')
  })

  it('keep what was submitted when the settings change, also when only the time changes', async () => {
    await save({ tags: { utm_source: 'then' }, shorten: false })
    const id = await submit('https://acme.example')
    await save({ tags: { utm_source: 'now' }, shorten: true })
    await now(id)
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given[0]?.contents[0]?.text).toBe('https://acme.example?utm_source=then')
  })

  it('of a draft follow the settings of the moment at which it is sent', async () => {
    await save({ tags: { utm_source: 'then' }, shorten: false })
    const id = await submit('https://acme.example', { intent: 'DRAFT', schedule: { type: 'DRAFT' } })
    expect((await read(id)).additionalDetails).toEqual({})
    await save({ tags: { utm_source: 'now' }, shorten: false })
    await now(id)
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given[0]?.contents[0]?.text).toBe('https://acme.example?utm_source=now')
  })

  it('are part of what is approved: other tags ask the approvers again, and other settings change nothing', async () => {
    const approvals = approvalsOn(app)
    const workflowId = await approvals.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId }] },
    ])
    await save({ tags: { utm_source: 'agreed' }, shorten: false })
    const ids = [
      await approvals.ask(home, { channelId, workflowId, text: 'https://acme.example' }),
      await approvals.ask(home, { channelId, workflowId, text: 'https://acme.example' }),
    ]
    for (const id of ids) await approvals.approve(home, id, home.person)
    await save({ tags: { utm_source: 'later' }, shorten: true })
    const [id = '', other = ''] = ids
    const { contents, version, additionalDetails } = await read(other)
    const body = { contents, version, additionalDetails: { ...additionalDetails, linkTags: { utm_source: 'else' } } }
    await app.call(editPost, { params: { ...home.params, postId: other }, body }, { as: home.person })
    expect(await approvals.status(home, other)).toBe('NEEDS_APPROVAL')
    const waiting = await app.call(postApproval, { params: { ...home.params, postId: other } }, { as: home.person })
    expect(waiting.approval?.changes).toEqual([
      { field: 'UTM tags', before: 'utm_source=agreed', after: 'utm_source=else' },
    ])
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given.map((post) => post.contents[0]?.text)).toEqual(['https://acme.example?utm_source=agreed'])
  })

  it('of a post that was approved before there were settings stay as they were, also when it is saved again', async () => {
    const approvals = approvalsOn(app)
    const workflowId = await approvals.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId }] },
    ])
    const id = await approvals.ask(home, { channelId, workflowId, text: 'https://acme.example' })
    await approvals.approve(home, id, home.person)
    await save({ tags: { utm_source: 'later' }, shorten: true })
    const { contents, version } = await read(id)
    await app.call(
      editPost,
      { params: { ...home.params, postId: id }, body: { contents, version, campaignIds: [] } },
      { as: home.person },
    )
    expect(await approvals.status(home, id)).toBe('SCHEDULED')
    await start()
    await reaches(id, 'PUBLISHED')
    expect(given[0]?.contents[0]?.text).toBe('https://acme.example')
  })

  it('cost a submit no round trip more', async () => {
    await save({ tags: { utm_source: 'a' }, shorten: true })
    await submit('https://acme.example/first')
    const trips = countRoundTrips(app.parts.databases.web)
    await submit('https://acme.example/second')
    expect(trips()).toBe(2)
  })

  it('are what the server says, not the caller', async () => {
    await save({ tags: { utm_source: '{channel}' }, shorten: true })
    const linkFacts = { channel: 'evil', campaign: 'evil', shortUrl: 'https://evil.example', ownHosts: [] }
    const id = await submit('https://acme.example', { channel: { additionalDetails: { linkFacts } } })
    expect((await read(id)).additionalDetails.linkFacts).toEqual({
      channel: 'acme.example',
      campaign: '',
      shortUrl: 'https://go.example',
      ownHosts: ['rookery.test', 'go.example'],
    })
  })
})

it('counts the text that is sent: tags can make it too long, and a short link can make it fit', async () => {
  const text = `${'a'.repeat(275)} https://acme.example/`
  await save({ tags: { utm_source: 'a-long-source' }, shorten: false })
  await expect(submit(text)).rejects.toMatchObject({ code: 'POST_REFUSED' })
  await save({ tags: { utm_source: 'a-long-source' }, shorten: true })
  await submit(text)
  await expect(submit(`aaaa${text}`)).rejects.toMatchObject({ code: 'POST_REFUSED' })
})

it('sends the same bytes in every attempt and looks for what was sent, also from another node and on another day', async () => {
  await save({ tags: { utm_campaign: 'week-{date}' }, shorten: true })
  const id = await submit('Read https://acme.example/a and https://acme.example/b')
  isLost = true
  await start()
  await reaches(id, 'UNCONFIRMED')
  await publishing?.stop({ drain: 1000 })
  await save({ tags: {}, shorten: false })
  // the second node looks it up twice, finds nothing and sends it again
  isLost = false
  await start()
  await reaches(id, 'PUBLISHED')
  const texts = given.flatMap(({ postId, contents }) => (postId === id ? [contents[0]?.text] : []))
  expect(texts.length).toBeGreaterThanOrEqual(4)
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toMatch(/^Read https:\/\/go\.example\/s\/[2-9a-z]{8} and https:\/\/go\.example\/s\/[2-9a-z]{8}$/)
  expect(Object.keys(await codes(id)).toSorted()).toEqual([
    'https://acme.example/a?utm_campaign=week-2026-11-23',
    'https://acme.example/b?utm_campaign=week-2026-11-23',
  ])
})

it('keeps the codes of a published post when it is edited there, and makes one for a new link', async () => {
  await save({ tags: {}, shorten: true })
  const id = await submit('Read https://acme.example/a')
  await start()
  await reaches(id, 'PUBLISHED')
  const before = await codes(id)
  const { version, additionalDetails } = await read(id)
  await app.call(
    editPost,
    {
      params: { ...home.params, postId: id },
      body: {
        version,
        additionalDetails,
        contents: [{ text: 'Read https://acme.example/a or https://acme.example/b', media: [] }],
      },
    },
    { as: home.person },
  )
  const after = await codes(id)
  expect(after).toMatchObject(before)
  expect(edited[0]?.contents[0]?.text).toBe(
    `Read https://go.example/s/${after['https://acme.example/a']} or https://go.example/s/${after['https://acme.example/b']}`,
  )
})

it('shows what each link becomes, with its short link once it was made', async () => {
  await save({ tags: { utm_campaign: '{date}' }, shorten: true })
  const id = await submit('https://acme.example/a and https://x.com/acme')
  const shown = async () =>
    (await app.call(postLinks, { params: { ...home.params, postId: id } }, { as: home.person })).links
  const tagged = { address: 'https://acme.example/a', target: 'https://acme.example/a?utm_campaign=2026-11-23' }
  const kept = { address: 'https://x.com/acme', target: null, shortUrl: null, shortened: false }
  expect(await shown()).toEqual([{ ...tagged, shortUrl: null, shortened: true }, kept])
  await start()
  await reaches(id, 'PUBLISHED')
  const code = (await codes(id))[tagged.target]
  expect(await shown()).toEqual([{ ...tagged, shortUrl: `https://go.example/s/${code}`, shortened: true }, kept])
})

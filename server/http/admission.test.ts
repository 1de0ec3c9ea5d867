import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { saveDraft } from '#contract/drafts.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { Problem } from '#contract/errors.ts'
import { listPosts } from '#contract/postLists.ts'
import { submitPost } from '#contract/submit.ts'
import { Failure } from '../errors.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { draftBody } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { createAdmission } from './admission.ts'
import { limits, type Limits, type Rate } from './limits.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const save = (text = 'Rooks', as: TestPerson = home.person) =>
  app.send(
    saveDraft,
    { params: { ...home.params, postId: randomUUID() }, body: { version: 0, draft: draftBody({ text }) } },
    { as },
  )
const drafts = async () => (await app.database.owner.query('select from post where org_id = $1', [home.orgId])).rowCount

describe('costly calls', () => {
  it("return 429 after a person's burst, with the time to wait and nothing stored", async () => {
    const { burst, perMinute } = limits.rates.draft.person
    const heavy = 'Rooks and elms. '.repeat(3_700)
    const units = 1 + Math.floor(heavy.length / limits.bodyUnit)
    const most = Math.floor(burst / units)
    for (let i = 0; i < most; i++) expect((await save(heavy)).statusCode).toBe(200)
    const refused = await save(heavy)
    expect(refused.statusCode).toBe(429)
    const problem = Problem.parse(refused.json())
    expect(problem).toMatchObject({ code: 'TOO_MANY_REQUESTS', meta: { limit: 'person' } })
    expect(problem.detail).toMatch(
      /^You're doing this too often\. Nothing was changed\. Try again in (a second|\d+ seconds)\. You can do it (once|\d+ times) then, and \d+ times a minute after that\.$/,
    )
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeLessThanOrEqual(Math.ceil((units * 60) / perMinute))
    expect(await drafts()).toBe(most)
    // someone else in the organization and other calls continue
    const colleague = await app.colleague(home, 'editor')
    expect((await save('Elms', colleague)).statusCode).toBe(200)
    expect((await app.send(listPosts, { params: home.params }, { as: home.person })).statusCode).toBe(200)
    app.clock.advance({ seconds: wait })
    expect((await save(heavy)).statusCode).toBe(200)
  })

  it('never affect someone who saves a draft every second for hours', async () => {
    const { count } = counting()
    const person = { personId: randomUUID(), orgId: randomUUID() }
    for (let second = 0; second < 4 * 3600; second++) count(person, 60_000, 1000)
  })

  it('never affect a client that creates five posts a second', () => {
    const { count } = counting(submitPost)
    const client = { personId: randomUUID(), orgId: randomUUID() }
    for (let call = 0; call < 10_000; call++) count(client, 2000, 200)
  })

  it('say how long to wait for how many more calls, and exactly those are accepted then', () => {
    const { count } = counting(submitPost)
    const client = { personId: randomUUID(), orgId: randomUUID() }
    const { burst, perMinute } = limits.rates.post.person
    for (let call = 0; call < burst; call++) count(client, 2000, 0)
    const refusal = (after = 0) => {
      try {
        count(client, 2000, after)
      } catch (error) {
        if (error instanceof Failure) return { detail: error.message, meta: error.facts.meta }
      }
      throw new Error('the call was accepted')
    }
    expect(refusal()).toMatchObject({
      meta: { retryAfterSeconds: 1, limit: 'person', callsThen: 10, callsPerMinute: perMinute },
    })
    for (let call = 0; call < 10; call++) count(client, 2000, call === 0 ? 1000 : 0)
    refusal()
    for (let call = 0; call < perMinute; call++) count(client, 2000, call === 0 ? 60_000 : 0)
    refusal()
  })

  it('count for the whole organization, even if each person makes few', () => {
    const { count } = counting()
    const orgId = randomUUID()
    const { person, organization } = limits.rates.draft
    const people = Math.ceil(organization.burst / (person.burst / 2))
    const all = () => {
      for (let i = 0; i <= people; i++) {
        const personId = randomUUID()
        for (let n = 0; n < person.burst / 2; n++) count({ personId, orgId }, 0, 0)
      }
    }
    expect(all).toThrow('People in your organization are doing this too often.')
    // another organization has its own count
    count({ personId: randomUUID(), orgId: randomUUID() }, 0, 0)
  })

  it('count a list only if it searches text or names many ids', () => {
    const { countUrl } = counting()
    const { burst } = limits.rates.list.person
    const person = { personId: randomUUID(), orgId: randomUUID() }
    const times = (url: string) => () => {
      for (let i = 0; i <= burst; i++) countUrl(person, url)
    }
    expect(times('/post?from=2026-11-01&to=2026-12-01&view=month&status=PUBLISHED')).not.toThrow()
    expect(times(`/post?q=rook`)).toThrow('too often')
    expect(times('/insights/summary?hashtag=rooks')).toThrow('too often')
    expect(times(`/post?channelId=${Array.from({ length: 100 }, () => randomUUID()).join()}`)).toThrow('too often')
  })

  it('count the insights of some posts by the days that they cover', () => {
    const { countUrl } = counting()
    const { burst } = limits.rates.list.person
    const times = (url: string, n: number) => () => {
      const person = { personId: randomUUID(), orgId: randomUUID() }
      for (let i = 0; i < n; i++) countUrl(person, `/insights/summary?${url}`)
    }
    const [month, years] = ['from=2026-11-01&to=2026-11-30', 'from=2025-01-01&to=2026-12-31']
    expect(times(`${years}&platforms=x`, burst + 1)).not.toThrow()
    expect(times(`${month}&labelId=a`, burst + 1)).not.toThrow()
    const units = Math.floor(729 / limits.chosenDays)
    for (const filter of ['labelId=a', 'campaignId=a', 'label%49d=a']) {
      expect(times(`${years}&${filter}`, Math.floor(burst / units))).not.toThrow()
      expect(times(`${years}&${filter}`, Math.floor(burst / units) + 1)).toThrow('too often')
    }
    // the days compared count, too
    const compared = 'from=2026-01-01&to=2026-12-31&compareFrom=2025-01-01&compareTo=2025-12-31&labelId=a'
    expect(times(compared, Math.floor(burst / units) + 1)).toThrow('too often')
  })

  it('count a light call only by its body', () => {
    const { countAs } = counting()
    const { createLabel } = api
    if (!createLabel) throw new Error('labels can be created')
    const { burst } = limits.rates.light.person
    const times = (bytes: number, n: number) => () => {
      const person = { personId: randomUUID(), orgId: randomUUID() }
      for (let i = 0; i < n; i++) countAs(createLabel, person, bytes)
    }
    expect(times(limits.bodyUnit - 1, 10 * burst)).not.toThrow()
    expect(times(2_000_000, Math.floor(burst / 122))).not.toThrow()
    expect(times(2_000_000, Math.floor(burst / 122) + 1)).toThrow('too often')
  })

  it('that use more than the database take turns, so that one person leaves room for the next', async () => {
    const admission = createAdmission({ monotonic: () => 0 })
    const { aiHelp } = api
    if (!aiHelp) throw new Error('there is AI help')
    const ends: (() => void)[] = []
    const asks = (personId: string) => {
      const ids = { tokenHash: Buffer.from(personId), orgId: randomUUID(), projectId: null }
      admission.count(aiHelp, request(), ids, grantOf({ personId, orgId: ids.orgId }))
      return () => admission.outside('ai', ids, request(), () => new Promise<void>((resolve) => ends.push(resolve)))
    }
    const ask = asks(randomUUID())
    const asked = Array.from({ length: 20 }, ask)
    expect(ends).toHaveLength((limits.outside.ai ?? 0) / 2)
    asked.push(asks(randomUUID())())
    expect(ends).toHaveLength((limits.outside.ai ?? 0) / 2 + 1)
    while (ends.length > 0) {
      ends.pop()?.()
      await new Promise(setImmediate)
    }
    await Promise.all(asked)
  })

  it('the check before a body waits as one call, whatever length was announced', async () => {
    const admission = createAdmission({ monotonic: () => 0 })
    const ends: (() => void)[] = []
    const check = () =>
      admission.beforeBody(
        { tokenHash: Buffer.from(randomUUID()), orgId: null, projectId: null },
        request({ 'content-length': '2000000' }),
        () => new Promise((resolve) => ends.push(() => resolve({ caller: null, org: null, project: null }))),
      )
    const checks = Array.from({ length: limits.database.slots + 100 }, check)
    await until(async () => {
      ends.pop()?.()
      return ends.length === 0
    })
    expect(await Promise.allSettled(checks)).toEqual(checks.map(() => ({ status: 'fulfilled', value: undefined })))
  })
})

describe('the limits', () => {
  it('cover every cost class that an endpoint declares, and no other', () => {
    const declared = new Set(Object.values(api).map(({ cost }) => cost))
    expect([...declared].toSorted()).toEqual(Object.keys(limits.rates).toSorted())
  })

  it('let calls that change something or use the network be light only on purpose', () => {
    const costly = /^\/api\/:orgId\/project\/:projectId\/(post|note|asset|upload|link-card|ai|channel|queue)(\/|$)/u
    const light = Object.entries(api)
      .filter(([, { method, path, cost }]) => method !== 'GET' && costly.test(path) && cost === 'light')
      .map(([name]) => name)
    // each changes one row of its own, or has its own limit
    expect(light.toSorted()).toEqual([
      'deleteAsset',
      'deleteNote',
      'editAsset',
      'editingPost',
      'remindApprovers',
      'removeBulk',
      'removeThumbnail',
      'removeUnfinishedUpload',
      'restoreAsset',
      'revokeApprovalLink',
      'startBoost',
    ])
  })

  it('are printed in docs/operations.md', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    for (const line of table(limits)) expect(page).toContain(line)
  })
})

/** The limits as the lines of their tables in docs/operations.md. */
function table({ rates, outside, database, bodyUnit, notifications }: Limits): string[] {
  const each = ({ burst, perMinute }: Rate) => `${burst}, then ${perMinute} a minute`
  return [
    ...Object.entries(rates).map(
      ([cost, { person, organization }]) => `| \`${cost}\` | ${each(person)} | ${each(organization)} |`,
    ),
    ...Object.entries(outside).map(([cost, slots]) => `| concurrent \`${cost}\` calls | ${slots} |`),
    `| notifications signed by the installation's app | ${each(notifications.installation)} |`,
    `| notifications signed by an organization's own app | ${each(notifications.organization)} |`,
    `| concurrent requests that use the database | ${database.slots} |`,
    `| waiting calls per person | ${database.waiting.person} |`,
    `| waiting calls per organization | ${database.waiting.organization} |`,
    `| seconds a call can wait | ${database.patience / 1000} |`,
    `| seconds of waiting after which \`/readyz\` answers 503 | ${database.stalled / 1000} |`,
    `| body bytes that count as another call | ${bodyUnit} |`,
  ]
}

type Who = { personId: string; orgId: string }
const request = (headers: Record<string, string> = {}, url = '/') => ({ headers, url, ip: '192.0.2.1' })
const grantOf = ({ personId, orgId }: Who) => ({
  caller: { sessionId: randomUUID(), personId, confirmed: true, secondFactor: false },
  org: {
    orgId,
    isAdmin: false,
    plan: { planId: 'team', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null },
    entitlements: {
      valid: true,
      channels: 0,
      projects: 0,
      users: 0,
      scheduledCap: 0,
      aiCreditsPerMonth: 0,
      xAccounts: 0,
      bioPages: 0,
      closed: [],
    },
  } as const,
  project: null,
})

/** Counts calls on its own clock, each this many milliseconds after the previous one. */
function counting(endpoint: EndpointShape = saveDraft) {
  let now = 0
  const admission = createAdmission({ monotonic: () => now })
  const ids = ({ personId, orgId }: Who) => ({ tokenHash: Buffer.from(personId), orgId, projectId: null })
  return {
    count: (who: Who, bytes: number, after: number) => {
      now += after
      admission.count(endpoint, request({ 'content-length': String(bytes) }), ids(who), grantOf(who))
    },
    countAs: (other: EndpointShape, who: Who, bytes: number) => {
      admission.count(other, request({ 'content-length': String(bytes) }), ids(who), grantOf(who))
    },
    countUrl: (who: Who, url: string) => {
      admission.count(listPosts, request({}, url), ids(who), grantOf(who))
    },
  }
}

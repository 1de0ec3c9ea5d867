import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aiHelp } from '#contract/aiHelp.ts'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { enableChannel } from '#contract/channels.ts'
import { createCampaign } from '#contract/campaigns.ts'
import { connectAuth } from '#contract/connect.ts'
import { createDiscussion } from '#contract/discussions.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import { createCannedResponse } from '#contract/inbox/cannedResponses.ts'
import { inviteUsers } from '#contract/invites.ts'
import { listAssets } from '#contract/library.ts'
import { createBioPage } from '#contract/linkInBio/pages.ts'
import { createProject } from '#contract/organizations.ts'
import { entitlements, gates, type Gate, type PlanFacts } from '#contract/plans.ts'
import { submitPost } from '#contract/submit.ts'
import { setQueueSlots } from '#contract/queues.ts'
import { createRole } from '#contract/roles.ts'
import { createWorkflow } from '#contract/workflows.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { giveApp } from '../testing/giveApp.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* Every gate of the contract: which endpoint enforces it on plans without the feature; on Team it's open. */
giveApp('x')

let app: TestApp
beforeAll(async () => {
  const page = {
    begin: async (_: unknown, { state }: { state: string }) => ({
      kind: 'begun' as const,
      url: `https://platform.example/authorize?state=${state}`,
      keep: {},
    }),
    answer: async () => ({ kind: 'accounts' as const, accounts: [] }),
  }
  app = await startApp({
    env: { X_CLIENT_ID: 'ours', X_CLIENT_SECRET: 'ours', AI_BASE_URL: 'http://127.0.0.1:1', AI_MODEL: 'none' },
    platforms: { x: testPlatform({ key: 'x', page }) },
  })
})
afterAll(() => app.close())

type Held = Pick<PlanFacts, 'planId' | 'status'>
type Case = {
  endpoint: EndpointShape
  closedOn: readonly Held[]
  call: (home: TestHome, channelId: string) => { params?: object; body?: object; query?: object }
  prepare?: (home: TestHome) => Promise<unknown>
}

const active = (...planIds: PlanFacts['planId'][]): Held[] => planIds.map((planId) => ({ planId, status: 'ACTIVE' }))
const plain =
  (body: object) =>
  ({ params }: TestHome) => ({ params, body })
const inAWeek = {
  type: 'RECURRING_WEEKLY',
  details: {
    timezone: 'Europe/Berlin',
    utcStartDate: '2027-03-15T08:00:00.000Z',
    utcEndDate: '2027-04-12T07:00:00.000Z',
    daysOfWeek: [1],
  },
}
const post = (channelId: string, schedule: object) => ({
  intent: 'SCHEDULE',
  channels: [{ channelId, postType: 'post', contents: [{ text: 'Every week', media: [] }] }],
  schedule,
})
/** Twenty more than the disabled one, which the previous plan included. */
const fillUp = async (home: TestHome) => {
  await app.database.owner.query('update channel set enabled = false where org_id = $1', [home.orgId])
  await app.database.owner.query(
    "insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by) select $1, gen_random_uuid(), $2, 'bluesky', 'did:plc:' || n, 'Theirs', '@theirs', now(), $3 from generate_series(1, 20) n",
    [home.orgId, home.projectId, home.person.personId],
  )
}
/** An address of its own in the whole installation. */
const slugOf = ({ projectId }: TestHome) => `p-${projectId.slice(-12)}`
const sql = (text: string) => (home: TestHome) => app.database.owner.query(text, [home.orgId])
const signInAtX = ({ params }: TestHome) => ({ params: { ...params, platform: 'x' } })

const cases: Record<Gate, Case> = {
  channels: {
    endpoint: enableChannel,
    closedOn: active('free', 'individual', 'team'),
    prepare: fillUp,
    call: ({ params }, channelId) => ({ params: { ...params, channelId }, body: {} }),
  },
  projects: {
    endpoint: createProject,
    closedOn: active('free'),
    call: plain({ projectName: 'Second', projectDesc: '', zone: 'UTC' }),
  },
  users: {
    endpoint: inviteUsers,
    closedOn: active('free', 'individual'),
    call: plain({ invites: [{ email: 'new@example.org', role: 'user' }] }),
  },
  repeat: {
    endpoint: submitPost,
    closedOn: active('free'),
    call: ({ params }, channelId) => ({ params, body: post(channelId, inAWeek) }),
  },
  queues: {
    endpoint: setQueueSlots,
    closedOn: active('free'),
    call: ({ params }, channelId) => ({ params: { ...params, channelId }, body: { timezone: 'UTC', slots: [] } }),
  },
  asset_library: { endpoint: listAssets, closedOn: active('free'), call: ({ params }) => ({ params }) },
  campaigns: {
    endpoint: createCampaign,
    closedOn: active('free'),
    call: plain({ name: 'Spring', description: '', color: 'blue' }),
  },
  canned_responses: {
    endpoint: createCannedResponse,
    closedOn: active('free'),
    call: plain({ name: 'Thanks', text: 'Thank you' }),
  },
  approval_workflows: {
    endpoint: createWorkflow,
    closedOn: active('free', 'individual'),
    call: ({ params, roles }) => ({
      params,
      body: { name: 'Two eyes', steps: [{ needs: 'any', approvers: [{ kind: 'role', roleId: roles.admin }] }] },
    }),
  },
  custom_roles: {
    endpoint: createRole,
    closedOn: active('free', 'individual'),
    call: plain({ name: 'Writers', permissions: {} }),
  },
  analytics: { endpoint: insightsSummary, closedOn: active('free'), call: ({ params }) => ({ params }) },
  ai_credits: {
    endpoint: aiHelp,
    closedOn: active('free', 'individual', 'team'),
    prepare: sql("insert into ai_usage (org_id, month, used) values ($1, '2026-11-01', 1000)"),
    call: plain({ kind: 'shorten', text: 'Long', targets: [] }),
  },
  bio_pages: {
    endpoint: createBioPage,
    closedOn: active('free'),
    prepare: async (home) =>
      app.call(
        createBioPage,
        { params: home.params, body: { name: 'First', slug: slugOf(home) } },
        { as: home.person },
      ),
    call: plain({ name: 'Second', slug: 'a-second-page' }),
  },
  discussion: {
    endpoint: createDiscussion,
    closedOn: active('free', 'individual'),
    call: plain({ title: 'Launch', text: 'When?' }),
  },
  x: { endpoint: connectAuth, closedOn: active('free'), call: signInAtX },
  x_trial: {
    endpoint: connectAuth,
    closedOn: [{ planId: 'team', status: 'TRIAL_ACTIVE' }],
    prepare: async (home) =>
      app.database.owner.query("update channel set platform = 'x' where id = $1", [
        await contentOn(app.parts).channel(home),
      ]),
    call: signInAtX,
  },
  plan_expired: {
    endpoint: submitPost,
    closedOn: [
      { planId: 'team', status: 'TRIAL_EXPIRED' },
      { planId: 'team', status: 'CANCELLED' },
      { planId: 'individual', status: 'CANCELLED' },
    ],
    call: ({ params }, channelId) => ({
      params,
      body: post(channelId, { type: 'ONCE', details: { utc: '2026-11-25T09:30:00.000Z', timezone: 'Europe/London' } }),
    }),
  },
}

async function answerOf({ endpoint, call, prepare }: Case, held: Held) {
  const home = await app.signedInOwner()
  const channelId = await contentOn(app.parts).channel(home)
  await app.database.owner.query(
    "update plan set plan_id = $2, status = $3, trial_ends_at = '2027-06-01' where org_id = $1",
    [home.orgId, held.planId, held.status],
  )
  await prepare?.(home)
  const response = await app.send(endpoint, call(home, channelId), { as: home.person })
  const { code, meta } = response.json<{ code?: string; meta?: { gate?: string } }>()
  return { status: response.statusCode, code, gate: meta?.gate }
}

describe('every gate', () => {
  it.each(Object.entries(cases))('%s is closed where the plan lacks it, and says which it is', async (gate, one) => {
    for (const held of one.closedOn)
      expect(await answerOf(one, held), JSON.stringify(held)).toEqual({ status: 402, code: 'PLAN_LIMIT', gate })
  })

  it.each(Object.entries(cases).filter(([gate]) => !['channels', 'ai_credits', 'x_trial'].includes(gate)))(
    '%s is open on Team',
    async (_, one) => {
      expect((await answerOf(one, { planId: 'team', status: 'ACTIVE' })).status).toBe(200)
    },
  )

  it('of a feature is closed on exactly the plans that lack it', () => {
    for (const gate of gates) {
      const lacking = (['free', 'individual', 'team'] as const).filter((planId) =>
        entitlements(
          { planId, status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null },
          app.clock.now(),
        ).closed.includes(gate),
      )
      if (lacking.length > 0)
        expect(
          cases[gate].closedOn.map(({ planId }) => planId),
          gate,
        ).toEqual(lacking)
    }
  })
})

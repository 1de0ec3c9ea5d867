import { randomUUID } from 'node:crypto'
import { createCampaign } from '#contract/campaigns.ts'
import { createLabel } from '#contract/labels.ts'
import { entitlements } from '#contract/plans.ts'
import { setCampaigns } from '../campaigns/join.ts'
import { asTenant } from '../db/tenant.ts'
import { setLabels } from '../labels/tag.ts'
import type { TestHome } from './people.ts'
import type { TestApp } from './startApp.ts'

const team = { planId: 'team', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null } as const

/** Labels and campaigns for tests: created through the API, added to posts by the verbs that a submit calls. */
export function taxonomyOn(app: TestApp) {
  const label = async (home: TestHome, labelName = `Label ${randomUUID().slice(0, 8)}`): Promise<string> =>
    (await app.call(createLabel, { params: home.params, body: { labelName, color: 'green' } }, { as: home.person }))
      .labelId
  const campaign = async (home: TestHome, name = `Campaign ${randomUUID().slice(0, 8)}`): Promise<string> =>
    (await app.call(createCampaign, { params: home.params, body: { name } }, { as: home.person })).campaignId

  const context = (home: TestHome, planId: 'free' | 'team') =>
    ({
      now: app.clock.now(),
      org: {
        orgId: home.orgId,
        isAdmin: true,
        plan: { ...team, planId },
        entitlements: entitlements({ ...team, planId }, app.clock.now()),
      },
      project: {
        projectId: home.projectId,
        zone: 'UTC',
        roleId: null,
        roleName: null,
        permissions: {},
        publishing: 'full',
        channelIds: null,
      },
    }) as const
  const tag = (home: TestHome, postIds: readonly string[], labelIds: readonly string[]): Promise<void> =>
    asTenant(app.parts.databases.web, home.orgId, (tx) =>
      setLabels({ tx, ...context(home, 'team') }, 'post', postIds, labelIds, 'labels'),
    )
  const join = (
    home: TestHome,
    postIds: readonly string[],
    campaignIds: readonly string[],
    planId: 'free' | 'team' = 'team',
  ): Promise<void> =>
    asTenant(app.parts.databases.web, home.orgId, (tx) =>
      setCampaigns({ tx, ...context(home, planId) }, postIds, campaignIds, 'campaignIds'),
    )

  return { label, campaign, tag, join }
}

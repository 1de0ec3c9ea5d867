import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import { paginationOf } from '#contract/common.ts'
import * as contract from '#contract/campaigns.ts'
import { fail } from '../errors.ts'
import { handle, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { assertNameAvailable } from '../labels/assertNameAvailable.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { loadCampaign } from './access.ts'
import { disable, disabledWords, enable, enabledWords, remove } from './pause.ts'
import { countOf, findCampaigns } from './queries.ts'

export function campaignRoutes(): Route[] {
  return [
    handle(contract.listCampaigns, async (c) => {
      const { state } = c.query
      const [campaigns, counts] = await Promise.all([findCampaigns(c, { state, ...limitOffset(c.query) }), countOf(c)])
      return { campaigns, pagination: paginationOf(c.query, counts[state]) }
    }),
    handle(contract.countCampaigns, countOf),
    handle(contract.getCampaign, async (c) => {
      const [campaign] = await findCampaigns(c, { campaignId: c.params.campaignId })
      if (!campaign) throw fail('NOT_FOUND')
      return campaign
    }),
    handle(contract.createCampaign, async (c) => {
      mustHaveGate(c, 'campaigns')
      const { name, ...rest } = c.body
      await assertNameAvailable(c, 'campaign', name, 'name')
      const campaignId = randomUUIDv7()
      const own = {
        org_id: c.org.orgId,
        id: campaignId,
        project_id: c.project.projectId,
        created_at: c.now,
        created_by: c.caller.personId,
      }
      await c.tx
        .insertInto('campaign')
        .values({ ...own, name, ...columnsOf(rest) })
        .execute()
      await c.audit({ entityId: campaignId, detail: { startsOn: rest.startsOn, endsOn: rest.endsOn } })
      await c.emit({ kind: 'taxonomy', ref: campaignId })
      return { campaignId, message: 'Campaign created successfully' }
    }),
    handle(contract.editCampaign, async (c) => {
      mustHaveGate(c, 'campaigns')
      const { name, ...rest } = c.body
      const before = await loadCampaign(c, c.params.campaignId)
      await assertNameAvailable(c, 'campaign', name, 'name', before.id)
      await c.tx
        .updateTable('campaign')
        .set({ name, ...columnsOf(rest) })
        .where('org_id', '=', before.org_id)
        .where('id', '=', before.id)
        .execute()
      await c.audit({
        entityId: before.id,
        detail: {
          before: { name: before.name, startsOn: before.starts_on, endsOn: before.ends_on },
          after: { name, startsOn: rest.startsOn, endsOn: rest.endsOn },
        },
      })
      await c.emit({ kind: 'taxonomy', ref: before.id })
      return { message: 'Campaign updated successfully' }
    }),
    // a plan without campaigns still releases posts
    handle(contract.enableCampaign, async (c) => {
      const { campaignId } = c.params
      const enabled = await enable(c, campaignId)
      await c.audit({ entityId: campaignId, detail: enabled })
      await c.emit({ kind: 'taxonomy', ref: campaignId })
      return { ...enabled, message: enabledWords(enabled) }
    }),
    handle(contract.disableCampaign, async (c) => {
      mustHaveGate(c, 'campaigns')
      const { campaignId } = c.params
      const paused = await disable(c, campaignId)
      await c.audit({ entityId: campaignId, detail: { paused } })
      await c.emit({ kind: 'taxonomy', ref: campaignId })
      return { paused, message: disabledWords(paused) }
    }),
    put(contract.archiveCampaign, () => ({ state: 'ARCHIVED' }), 'Campaign archived'),
    put(contract.restoreCampaign, () => ({ state: 'ACTIVE', completed_at: null }), 'Campaign restored'),
    put(contract.completeCampaign, (now) => ({ completed_at: now }), 'Campaign completed'),
    handle(contract.deleteCampaign, async (c) => {
      const { campaignId } = c.params
      const released = await remove(c, campaignId)
      await c.audit({ entityId: campaignId, detail: released })
      await c.emit({ kind: 'taxonomy', ref: campaignId })
      return { message: 'Campaign deleted successfully' }
    }),
  ]
}

const columnsOf = ({
  description,
  color,
  startsOn,
  endsOn,
}: Omit<z.output<(typeof contract.createCampaign)['body']>, 'name'>) => ({
  description,
  color,
  starts_on: startsOn,
  ends_on: endsOn,
})

/** A verb that only sets a campaign's status; repeating it changes nothing. */
function put(
  endpoint: typeof contract.archiveCampaign,
  standing: (now: Date) => { state?: string; completed_at?: Date | null },
  message: string,
): Route {
  return handle(endpoint, async (c) => {
    const campaign = await loadCampaign(c, c.params.campaignId)
    const columns = standing(c.now)
    // the first time stays
    const completed_at = columns.completed_at === null ? null : (campaign.completed_at ?? columns.completed_at ?? null)
    await c.tx
      .updateTable('campaign')
      .set({ state: columns.state ?? campaign.state, completed_at })
      .where('org_id', '=', campaign.org_id)
      .where('id', '=', campaign.id)
      .execute()
    await c.audit({
      entityId: campaign.id,
      detail: { before: { state: campaign.state }, after: { state: columns.state ?? campaign.state } },
    })
    await c.emit({ kind: 'taxonomy', ref: campaign.id })
    return { message }
  })
}

import * as contract from '#contract/analytics/competitors.ts'
import { loadScope, type Reader } from '../analytics/scope.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { mustHaveGate, mustHaveRunning } from '../plans/gates.ts'
import { addAccount, profileOf, removeAccount, restoreAccount, seeAccounts } from './change.ts'
import { findAccount } from './find.ts'
import { readComparison } from './read.ts'
import { READ_COMPETITORS } from './readDue.ts'
import { readSeriesOf } from './series.ts'

export function competitorRoutes(deps: Dependencies): Route[] {
  const accepted = deps.env.analyticsTerms
  const link = pictureLinks(deps)
  return [
    handle(contract.insightsCompetitors, async (c) =>
      readComparison(c, await loadScope(c, c.query, { accepted }), link, c.query.platforms),
    ),
    handle(contract.insightsCompetitorSeries, async (c) =>
      readSeriesOf(
        c,
        await loadScope(c, { ...c.query, platforms: [c.query.platform] }, { accepted }),
        c.query.platform,
      ),
    ),
    handleDetached(contract.findCompetitor, async (c) => {
      const { platform } = c.query
      const found = await findAccount(deps, c, c.query)
      if (found.kind === 'none') return { account: null, why: found.why }
      const { remoteId, figures } = found.account
      const { picture_url: pictureUrl, profile_url: profileUrl, ...named } = profileOf(found.account)
      const isAdded = await c.inTenant((t) => isThere(t, platform, remoteId))
      return {
        account: {
          platformName: platform,
          ...named,
          pictureUrl: link(c.org.orgId, pictureUrl, c.now),
          profileUrl,
          followers: figures.followers ?? null,
          isAdded,
        },
        why: null,
      }
    }),
    handleDetached(contract.addCompetitor, async (c) => {
      const found = await findAccount(deps, c, c.body)
      if (found.kind === 'none') throw fail('COMPETITOR_MISSING', { meta: { why: found.why } })
      const competitorId = await c.inTenant(async (t) => {
        mustHaveRunning(t, 'analytics')
        const id = await addAccount(t, c.body.platform, found.account, found.channelId)
        await t.audit({ entityId: id, detail: { platform: c.body.platform } })
        await t.emit({ kind: 'competitor', ref: id })
        // its first figures in a moment instead of minutes
        await enqueue(t.tx, { name: READ_COMPETITORS }, { orgId: t.org.orgId }, { key: t.org.orgId })
        return id
      })
      return { competitorId, message: 'Competitor added' }
    }),
    handle(contract.removeCompetitor, async (c) => {
      mustHaveGate(c, 'analytics')
      await removeAccount(c, c.params.competitorId)
      await c.audit({ entityId: c.params.competitorId })
      await c.emit({ kind: 'competitor', ref: c.params.competitorId })
      return { message: 'Competitor removed' }
    }),
    handle(contract.restoreCompetitor, async (c) => {
      mustHaveRunning(c, 'analytics')
      await restoreAccount(c, c.params.competitorId)
      await c.audit({ entityId: c.params.competitorId })
      await c.emit({ kind: 'competitor', ref: c.params.competitorId })
      return { message: 'Competitor restored' }
    }),
    handle(contract.seeCompetitors, async (c) => {
      mustHaveGate(c, 'analytics')
      // they aren't read once the plan has ended
      if (c.org.entitlements.valid) await seeAccounts(c)
      return {}
    }),
  ]
}

async function isThere({ tx, org, project }: Reader, platform: string, remoteId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('competitor')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('platform', '=', platform)
    .where('remote_id', '=', remoteId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

import type { AdAccount, Boost, startBoost } from '#contract/boosts.ts'
import { isRunning } from '#contract/boosts.ts'
import type { AskDeps } from '../delivery/ask.ts'
import { openDelivery } from '../delivery/overrule.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { loadPost } from '../posts/access.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { boostsOf, type BoostDeps, type BoostRow } from './access.ts'
import { accountsOf, audiencesOf, mayAsk, ready } from './look.ts'
import { ADVANCE } from './names.ts'
import { presentBoosts } from './present.ts'

type Start = DetachedContext<typeof startBoost>

/**
 * Starts promoting a post. Account and audience are read from the platform for this person, whatever the call says; a
 * job creates the promotion there. The same ID again returns the same promotion. Throws BOOST_REFUSED, BOOST_RUNNING,
 * PLAN_LIMIT, BAD_INPUT at the fields.
 */
export async function start(c: Start, deps: AskDeps & BoostDeps): Promise<Boost> {
  const { boostId, adAccountId, audienceId, budget, days } = c.body
  const before = await c.inTenant(async (t) => {
    mustHavePlan(t)
    const found = await ready(t, deps, c.params.postId)
    return { ...found, known: mustBeFree(await boostsOf(t, found.post.id), boostId) }
  })
  const { known } = before
  if (known) return await c.inTenant((t) => again(t, known))
  await mayAsk(deps, c)
  const { asked, promotion } = before
  const account = (await accountsOf(deps, asked, promotion)).find((one) => one.adAccountId === adAccountId)
  if (!account)
    throw fail('BAD_INPUT', { errors: { adAccountId: ['This ad account no longer exists. Choose another one.'] } })
  if (account.problem !== null) throw fail('BAD_INPUT', { errors: { adAccountId: [account.problem] } })
  mustBeEnough(account, budget, days)
  const audience = (await audiencesOf(deps, asked, promotion, account.adAccountId)).find(
    (one) => one.audienceId === audienceId,
  )
  if (!audience)
    throw fail('BAD_INPUT', { errors: { audienceId: ['This audience no longer exists. Choose another one.'] } })
  if (audience.problem !== null) throw fail('BAD_INPUT', { errors: { audienceId: [audience.problem] } })

  return await c.inTenant(async (t) => {
    // two simultaneous starts take turns
    const post = await loadPost(t, c.params.postId)
    const known = mustBeFree(await boostsOf(t, post.id), boostId)
    if (known) return await again(t, known)
    // it may have been deleted or disconnected during the platform request
    await ready(t, deps, post.id)
    const row = await t.tx
      .insertInto('boost')
      .values({
        org_id: t.org.orgId,
        id: boostId,
        project_id: t.project.projectId,
        post_id: post.id,
        channel_id: asked.channel.id,
        started_by: t.caller.personId,
        state: 'PENDING',
        ad_account_id: account.adAccountId,
        ad_account_name: account.name,
        audience_id: audience.audienceId,
        audience_name: audience.name,
        currency: account.currency,
        minor_units: account.minorUnits,
        budget,
        days,
        post_type: post.post_type,
        post_remote_id: post.remote_id ?? '',
        next_at: t.now,
        created_at: t.now,
        updated_at: t.now,
      })
      .onConflict((oc) => oc.columns(['org_id', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    // the ID belongs to a promotion of another post
    if (!row) throw fail('BAD_INPUT', { errors: { boostId: ['Start again.'] } })
    await openDelivery(t.tx, { orgId: t.org.orgId, channelId: asked.channel.id, subject: 'boost', subjectId: boostId })
    await enqueue(t.tx, ADVANCE, { orgId: t.org.orgId }, { key: boostId })
    await t.audit({
      entityId: post.id,
      detail: { boostId, adAccountId: account.adAccountId, budget, currency: account.currency, days },
    })
    await t.emit({ kind: 'post', ref: post.id })
    return await present(
      t,
      (await boostsOf(t, post.id)).find(({ id }) => id === boostId),
    )
  })
}

/** The promotion with this ID, if it exists. Throws BOOST_RUNNING when another one runs. */
function mustBeFree(boosts: readonly BoostRow[], boostId: string): BoostRow | undefined {
  const known = boosts.find(({ id }) => id === boostId)
  if (!known && boosts.some(({ state }) => isRunning(state))) throw fail('BOOST_RUNNING')
  return known
}

/** What an earlier call with the same ID started. */
async function again(t: ProjectContext, row: BoostRow): Promise<Boost> {
  await t.audit({ entityId: row.post_id, detail: { boostId: row.id } })
  return await present(t, row)
}

async function present(t: ProjectContext, row: BoostRow | undefined): Promise<Boost> {
  const [boost] = row ? await presentBoosts(t.tx, [row]) : []
  if (!boost) throw fail('NOT_FOUND')
  return boost
}

/** The account's minimum; only the platform knows the audience's. */
function mustBeEnough({ minDaily, minorUnits, currency }: AdAccount, budget: number, days: number): void {
  const least = (minDaily ?? 0) * days
  if (budget < least)
    throw fail('BAD_INPUT', {
      errors: {
        budget: [
          `At least ${(least / minorUnits).toFixed(minorUnits === 1 ? 0 : 2)} ${currency} for ${days === 1 ? 'one day' : `${days} days`}`,
        ],
      },
    })
}

import * as contract from '#contract/channels.ts'
import * as connecting from '#contract/connect.ts'
import { isZone, paginationOf } from '#contract/common.ts'
import * as settings from '#contract/orgSettings.ts'
import { allows } from '#contract/permissions.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, handleDetached, type DetachedContext, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import type { Dependencies } from '../dependencies.ts'
import { takeAllowance } from '../plans/allowance.ts'
import type { PostDeps } from '../posts/schedule.ts'
import { rewakeLane } from '../delivery/lane.ts'
import { loadChannel, loadStayingChannel, reaches, reachOf } from '../access/channels.ts'
import { isSimulated, signIn, storeChannel, type ConnectDeps } from './connect.ts'
import { begin, confirm, connectedWords, takeAnswer, waysToConnect } from './connectByPage.ts'
import { acceptDeletion } from './delete.ts'
import { closedGate, countSignIn, mustHaveRoom } from './limits.ts'
import { countOrgChannels, findOrgChannels, loadOrgChannel } from './orgChannels.ts'
import { openForeignPictures } from './foreignPictures.ts'
import { disable, disabledWords, enable, enabledWords } from './pause.ts'
import { sendPicture } from './pictures.ts'
import { countChannels, findChannel, findChannels } from './queries.ts'
import { connectSimulated } from './simulated.ts'

export type ChannelDeps = PostDeps & ConnectDeps & Pick<Dependencies, 'databases'>

export function channelRoutes(deps: ChannelDeps): Route[] {
  return [
    handle(contract.listChannels, async (c) => {
      const scope = { orgId: c.org.orgId, project: c.project, now: c.now }
      const [channels, totalCount] = await Promise.all([
        findChannels(c.tx, scope, limitOffset(c.query)),
        countChannels(c.tx, scope),
      ])
      return { channels, pagination: paginationOf(c.query, totalCount) }
    }),
    handle(contract.allChannels, async (c) => ({
      channels: await findChannels(c.tx, { orgId: c.org.orgId, project: c.project, now: c.now }),
    })),
    handle(contract.myChannels, async (c) => ({
      channels: await findChannels(c.tx, { orgId: c.org.orgId, project: c.project, now: c.now }),
    })),
    handle(contract.channelsOfUser, async (c) => {
      const scope = { orgId: c.org.orgId, project: c.project, now: c.now }
      const reach = await reachOf(c.tx, scope, c.query.userId ?? c.caller.personId)
      if (!reach) throw fail('NOT_FOUND')
      const channels = await findChannels(c.tx, scope)
      return { channels: channels.filter(({ channelId }) => reaches(reach, channelId)), all: reach.channelIds === null }
    }),
    handleBytes(contract.channelPicture, sendPicture),
    handleBytes(contract.offeredPicture, openForeignPictures(deps)),
    handle(contract.createAccess, async (c) => {
      const gate = await closedGate(c.tx, c.org, c.project)
      return { allowed: gate === null && allows(c.project.permissions, 'channel', 'create'), gate }
    }),
    ...contract.credentialSignIns.map(({ platform, endpoint }) =>
      handleDetached(endpoint, (c) => connect(c, deps, platform, fieldsOf(c.body))),
    ),
    handle(connecting.connectWays, (c) => waysToConnect(c.tx, deps, c.org.orgId)),
    handleDetached(connecting.connectAuth, async (c) => {
      await countSignIn(deps.databases, c.caller.personId, c.now)
      return await begin(c, deps)
    }),
    handleDetached(connecting.connectCallback, (c) => takeAnswer(c, deps)),
    handle(connecting.connectConfirm, (c) => confirm(c, deps)),
    handleDetached(connecting.connectSimulated, (c) =>
      connectSimulated(c, deps, (fields) => connect(c, deps, c.params.platform, fields)),
    ),
    handle(contract.deleteChannel, async (c) => {
      const channel = await loadChannel(c, c.params.channelId)
      const isNew = channel.deleting_at === null
      await acceptDeletion(c.tx, channel, c.caller.personId, c.now)
      await c.audit({ entityId: channel.id, detail: { platform: channel.platform, ...(!isNew && { again: true }) } })
      if (isNew) await c.emit({ kind: 'channel', ref: channel.id })
      return { message: DELETION_ACCEPTED }
    }),
    handle(settings.listOrgChannels, async (c) => {
      const [channels, total] = await Promise.all([findOrgChannels(c, limitOffset(c.query)), countOrgChannels(c)])
      return { channels, pagination: paginationOf(c.query, total) }
    }),
    handle(settings.deleteOrgChannel, async (c) => {
      const channel = await loadOrgChannel(c, c.params.channelId)
      const isNew = channel.deleting_at === null
      await acceptDeletion(c.tx, channel, c.caller.personId, c.now)
      await c.audit({
        entityId: channel.id,
        projectId: channel.project_id,
        detail: { platform: channel.platform, ...(!isNew && { again: true }) },
      })
      if (isNew) await c.emit({ kind: 'channel', ref: channel.id, projectId: channel.project_id })
      return { message: 'Channel deleted successfully' }
    }),
    handle(contract.enableChannel, async (c) => {
      const channel = await loadStayingChannel(c, c.params.channelId)
      const { late: choice } = c.body
      const enabled = await enable(c, deps, channel, choice)
      const { resumed, late, settled } = enabled
      await c.audit({ entityId: channel.id, detail: { resumed, late, choice, settled } })
      await c.emit({ kind: 'channel', ref: channel.id })
      return { resumed, late, message: enabledWords(enabled, choice) }
    }),
    handle(contract.disableChannel, async (c) => {
      const channel = await loadStayingChannel(c, c.params.channelId)
      const paused = await disable(c.tx, channel, c.now)
      await c.audit({ entityId: channel.id, detail: { waiting: paused } })
      await c.emit({ kind: 'channel', ref: channel.id })
      return { paused, message: disabledWords(paused) }
    }),
    handle(contract.editChannel, async (c) => {
      const { channelName, zone, latenessMinutes } = c.body
      if (zone !== undefined && !isZone(zone)) throw fail('BAD_INPUT', { errors: { zone: ['Unknown time zone'] } })
      const channel = await loadStayingChannel(c, c.params.channelId)
      const changes = {
        ...(channelName !== undefined && { name: channelName }),
        ...(zone !== undefined && { zone }),
        ...(latenessMinutes !== undefined && { lateness_minutes: latenessMinutes }),
      }
      if (Object.keys(changes).length > 0)
        await c.tx
          .updateTable('channel')
          .set(changes)
          .where('org_id', '=', channel.org_id)
          .where('id', '=', channel.id)
          .execute()
      // a post that was too late under the old limit may be published under the new one
      if (latenessMinutes !== undefined) await rewakeLane(c.tx, c.org.orgId, channel.id)
      await c.audit({
        entityId: channel.id,
        detail: {
          before: { channelName: channel.name, zone: channel.zone, latenessMinutes: channel.lateness_minutes },
          after: { channelName, zone, latenessMinutes },
        },
      })
      await c.emit({ kind: 'channel', ref: channel.id })
      return { message: 'Channel updated' }
    }),
  ]
}

/** The note of the specification, section 5 of identity and channels. */
const DELETION_ACCEPTED = 'The deletion request was accepted and may take a minute or two.'

/** Checks the plan, signs in at the platform with no transaction open, and stores the account. */
async function connect(
  c: Pick<DetachedContext<(typeof contract.credentialSignIns)[number]['endpoint']>, 'inTenant' | 'caller' | 'now'>,
  deps: ChannelDeps,
  key: PlatformKey,
  fields: Record<string, string>,
) {
  const platform = deps.platforms(key)
  if (!platform) throw fail('CHANNEL_REFUSED', { detail: "This platform isn't set up yet." })
  // with a full plan, channels can still be reconnected; only the platform's response tells which account it is
  await c.inTenant(
    async (t) => await mustHaveRoom(t, (await countChannels(t.tx, { orgId: t.org.orgId, project: t.project })) > 0),
  )
  await countSignIn(deps.databases, c.caller.personId, c.now)
  const connected = await signIn(platform, deps.fetch, fields)
  return await c.inTenant(async (t) => {
    const simulated = isSimulated(deps.env, platform, connected.account.service)
    const org = { ...t.org, ...(await takeAllowance(t.tx, t.org.orgId, t.now)) }
    const { channelId, reconnected } = await storeChannel(
      {
        ...t,
        org,
        personId: t.caller.personId,
        platform: key,
        keys: deps.secrets,
        simulated,
        ai: deps.env.AI_BASE_URL !== undefined,
      },
      connected,
    )
    await t.audit({ entityId: channelId, detail: { platform: key, reconnected } })
    await t.emit({ kind: 'channel', ref: channelId })
    const channel = await findChannel(t.tx, { orgId: t.org.orgId, project: t.project, now: t.now }, channelId)
    if (!channel) throw new Error('the channel that was just stored is not there')
    return { channel, reconnected, message: connectedWords([{ reconnected }]) }
  })
}

/** What was typed, as the adapter takes it; an empty field is an absent one. */
function fieldsOf(body: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(body).filter((field): field is [string, string] => Boolean(field[1])))
}

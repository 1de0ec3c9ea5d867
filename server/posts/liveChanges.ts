import { because } from '#contract/failures/catalog.ts'
import type { Apps } from '../apps/apps.ts'
import { refusedConnection } from '../delivery/ask.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { deliverNow, reserve, withdraw } from '../delivery/attended.ts'
import type { Wanted } from '../delivery/claim.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { Subject } from '../delivery/subject.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import type { Log } from '../log.ts'
import { mediaLinks } from '../media/links.ts'
import { openMedia } from '../media/open.ts'
import { createNotification } from '../notifications/create.ts'
import type { Publish } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { deliveriesOf } from '../publishing/deliveries.ts'
import type { PostRecord } from './access.ts'
import { platformOf } from './checks.ts'
import type { PostDeps } from './schedule.ts'

/* Changes of a published post on its platform: a request reserves one in its transaction, then sends it and waits. */

export type LiveDeps = PostDeps & {
  env: Env
  clock: Clock
  databases: Databases
  secrets: SecretKeys
  apps: Apps
  fetch: SafeFetch
  log: Log
}

type Change = 'edit' | 'deletion'

const changes = {
  edit: {
    call: 'edit',
    occasion: 'edit',
    timeoutMs: 60_000,
    crashed: because('edit-crashed'),
    disconnected: 'The channel of this post was disconnected, so it can only be changed on the platform itself.',
    isUnderWay: 'This post is being updated on its platform. Wait a moment, then check it again.',
    unsupported: 'This platform does not let posts be changed from here. Change it there.',
  },
  deletion: {
    call: 'remove',
    occasion: 'remove',
    timeoutMs: 30_000,
    crashed: because('deletion-crashed'),
    disconnected: 'The channel of this post was disconnected, so it can only be deleted on the platform itself.',
    isUnderWay: 'This post is being deleted on its platform. Wait a moment, then check it again.',
    unsupported: 'This platform does not let posts be deleted from here. Delete it there.',
  },
} as const satisfies Record<Change, { call: keyof Publish; [more: string]: unknown }>

/**
 * Reserves the change of a live post, which is locked. Throws CHANNEL_REFUSED if it can only be made on the platform
 * itself, and POST_LOCKED while another one is in progress.
 */
export async function beginLiveChange(
  t: ProjectContext,
  deps: LiveDeps,
  post: PostRecord,
  change: Change,
  details: Record<string, unknown>,
): Promise<Wanted> {
  const { call, disconnected, isUnderWay, unsupported } = changes[change]
  const { orgId } = t.org
  const channel = await t.tx
    .selectFrom('channel')
    .innerJoin('channel_secret', (join) =>
      join.onRef('channel_secret.org_id', '=', 'channel.org_id').onRef('channel_secret.channel_id', '=', 'channel.id'),
    )
    .select(['channel.id', 'platform'])
    .where('channel.org_id', '=', orgId)
    .where('channel.id', '=', post.channel_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!channel) throw fail('CHANNEL_REFUSED', { detail: disconnected })
  if (!deps.platforms(platformOf(channel))?.publish[call]) throw fail('CHANNEL_REFUSED', { detail: unsupported })
  const { sendKey, progress } = (await deliveriesOf(t.tx, orgId, [post.id]))(post.id)
  const wanted = { orgId, channelId: channel.id, subject: change, subjectId: post.id, details, sendKey, progress }
  const reserved = await reserve(t.tx, wanted, t.now)
  if (!reserved) throw fail('POST_LOCKED', { detail: isUnderWay, meta: { state: post.state } })
  return reserved
}

/**
 * Makes the reserved change, outside of any transaction. What the platform refused is withdrawn, together with what
 * `undo` does. Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE with the platform's reason.
 */
export async function makeLiveChange(
  c: DetachedContext,
  deps: LiveDeps,
  subject: Subject & { kind: Change },
  begun: Wanted,
  undo: (t: ProjectContext) => Promise<void> = async () => {},
): Promise<void> {
  const { occasion, ...how } = changes[subject.kind]
  const media = openMedia(deps.databases.background, deps.media, mediaLinks(deps))
  const outcome = await deliverNow({ ...deps, media, notify: createNotification }, subject, begun, how)
  if (outcome.kind === 'sent') return
  await c.inTenant(async (t) => {
    await withdraw(t.tx, outcome.left)
    await undo(t)
  })
  throw refusedConnection(outcome.refusal, occasion)
}

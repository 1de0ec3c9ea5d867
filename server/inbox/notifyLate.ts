import type { z } from 'zod'
import { StoredReason } from '#contract/failures/define.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'

type Channel = { orgId: string; projectId: string; channelId: string; handle: string; platform: PlatformKey }
type State = 'reading' | 'late' | 'reconnect' | 'none'

/** Notifies people when a channel's conversations begin to arrive late or not at all, and takes that back when they arrive again. */
export async function notifyOfReading(
  tx: Tx,
  { orgId, projectId, channelId, handle, platform }: Channel,
  { before, state, trouble }: { before: State; state: State; trouble: unknown },
  now: Date,
): Promise<void> {
  if (before === state) return
  const dedupeKey = dedupeKeys.reading(channelId)
  if (state === 'reading') return await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKey] }, now)
  const reason: z.output<typeof StoredReason> | undefined = StoredReason.safeParse(trouble).data
  if (state === 'none' || !reason) return
  await createNotification(
    tx,
    {
      orgId,
      projectId,
      dedupeKey,
      kind: 'inbox-late',
      params: { handle, platform, reason, stopped: state === 'reconnect' },
      people: 'project-editors',
      channelIds: [channelId],
    },
    now,
  )
}

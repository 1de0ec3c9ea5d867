import { z } from 'zod'
import { Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'

/** What is read for the insights, per channel: how far back, when last and next, and what is in the way. */
export const CollectingChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  readings: z.array(
    z.object({
      /** Which reading: the channel's figures by day, its audience, its posts and so on. */
      kind: z.string(),
      state: z.string(),
      /** The code of what is in the way, worded by the web. */
      problem: z.string().nullable(),
      /** How far back the figures reach by now, while older ones are being read; null if there's no history to read. */
      backfilledTo: z.iso.date().nullable(),
      /** How far back there's something to read. */
      backfillUntil: z.iso.date().nullable(),
      lastReadAt: Instant.nullable(),
      nextReadAt: Instant.nullable(),
    }),
  ),
  /** Permissions that reconnecting asks for. */
  missingRights: z.array(z.string()),
})
export type CollectingChannel = z.infer<typeof CollectingChannel>
export const insightsCollecting = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/collecting',
  summary: 'Get how far the figures of each channel were read, when they are read next, and what is in the way',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  reply: z.object({ channels: z.array(CollectingChannel) }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

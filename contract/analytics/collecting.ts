import { z } from 'zod'
import { connectionStates } from '../channels.ts'
import { Done, Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'

/** How many of a channel's newest posts are read when it's connected, wherever they were published. */
export const IMPORTED_AT_FIRST = 100
/** And how many when someone asks for more. */
export const IMPORTED_ON_REQUEST = 500

/** What is read for the insights, per channel: how far back, when last and next, and what is in the way. */
export const CollectingChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  /** Nothing is read of channels that aren't connected. */
  status: z.enum(connectionStates),
  readings: z.array(
    z.object({
      /** Which reading: the channel's figures by day (`days`, `history`), its `audience`, or the `posts` published elsewhere. */
      kind: z.string(),
      /** `unavailable`: the platform lists no posts. */
      state: z.string(),
      /** The code of what is in the way, worded by the web. */
      problem: z.string().nullable(),
      /** How far back the figures reach by now, while older ones are being read; null if there's no history to read. */
      backfilledTo: z.iso.date().nullable(),
      /** How far back there's something to read. */
      backfillUntil: z.iso.date().nullable(),
      /** Of `posts`: how many of the newest posts were found by now, and how many are wanted. */
      imported: z.int().nullable(),
      wanted: z.int().nullable(),
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

export const insightsImport = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/insights/import',
  summary: `Find the newest ${IMPORTED_ON_REQUEST} posts of a channel instead of ${IMPORTED_AT_FIRST}, wherever they were published`,
  access: can('insights', 'create'),
  cost: 'light',
  changes: ['channel'],
  params: ProjectParams,
  body: z.object({ channelId: Id }),
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: { action: 'updated', entity: 'channel' },
})

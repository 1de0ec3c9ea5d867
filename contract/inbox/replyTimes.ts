import { z } from 'zod'
import { Id, Instant, ProjectParams } from '../common.ts'
import { Range, RangeType } from '../dashboard.ts'
import { endpoint } from '../endpoint.ts'
import { inboxReaders } from './conversations.ts'
import { BusinessHours } from './settings.ts'

/**
 * A reply's time is that from the first item that nobody had answered to the next item of ours, in business minutes. Null
 * where nothing was answered, or no business hours are set.
 */
const Minutes = z.number().nonnegative().nullable()

export const inboxReplyTimes = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/reply-times',
  summary: 'Get how soon people were answered: the median and the slowest reply, in business hours',
  access: inboxReaders,
  cost: 'list',
  reads: ['conversation', 'channel', 'project'],
  params: ProjectParams,
  query: z.object({ rangeType: RangeType.default('seven') }),
  reply: z.object({
    range: Range,
    /** Replies on the range's days that answered someone, written here or on the platform. */
    replies: z.int(),
    medianMinutes: Minutes,
    slowestMinutes: Minutes,
    /** The conversation of the slowest one. */
    slowestId: Id.nullable(),
    /** The same of the days before. */
    before: z.object({ replies: z.int(), medianMinutes: Minutes }),
    businessHours: BusinessHours,
    /** The zone of the days and hours. */
    timezone: z.string(),
    asOf: Instant,
  }),
  audit: null,
})

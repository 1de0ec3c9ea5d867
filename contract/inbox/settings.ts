import { z } from 'zod'
import { Done, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { inboxReaders } from './conversations.ts'

const DAY_MINUTES = 1440
/** Minutes of the day between which people answer, such as `[540, 1020]`; null: they don't that day. */
const OpenHours = z
  .array(z.int().min(0).max(DAY_MINUTES))
  .length(2)
  .refine(([from = 0, to = 0]) => from < to, 'The end must be after the start')
  .nullable()
/** By weekday, from Monday. */
export const BusinessHours = z.array(OpenHours).length(7)
export type BusinessHours = z.infer<typeof BusinessHours>

/** What a project wants of its inbox. */
export const InboxSettings = z.object({
  /** A reply closes its conversation. */
  replyCloses: z.boolean(),
  /** A first answer is wanted within so many business hours; null: nobody is reminded. */
  answerHours: z.int().min(1).max(240).nullable(),
  businessHours: BusinessHours,
})
export type InboxSettings = z.infer<typeof InboxSettings>

const path = '/api/:orgId/project/:projectId/inbox/settings'
export const inboxSettings = endpoint({
  method: 'GET',
  path,
  summary: "Get the inbox's settings",
  access: inboxReaders,
  cost: 'light',
  reads: ['project'],
  params: ProjectParams,
  reply: InboxSettings,
  audit: null,
})
export const changeInboxSettings = endpoint({
  method: 'PUT',
  path,
  summary: 'Update whether replies close conversations, the response time goal and the business hours',
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['project'],
  params: ProjectParams,
  body: InboxSettings,
  reply: Done,
  errors: ['BAD_INPUT'],
  audit: { action: 'updated', entity: 'inbox_settings' },
})

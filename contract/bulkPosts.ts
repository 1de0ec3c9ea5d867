import { z } from 'zod'
import { Id, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { errorCodes } from './errors.ts'
import { Schedule } from './submit.ts'

/** How many posts one call can change. */
export const BULK_MOST = 200

const PostIds = z
  .array(Id)
  .min(1, 'Choose at least one post')
  .max(BULK_MOST, `You can change up to ${BULK_MOST} posts at once`)
const Labels = z.array(Id).max(50).default([])

/**
 * What is done to each chosen post. `label` adds and removes labels and keeps the others; `restore` undoes a deletion
 * of the last minute.
 */
export const BulkAction = z.discriminatedUnion('action', [
  z.object({ action: z.literal('reschedule'), postIds: PostIds, schedule: Schedule }),
  z.object({ action: z.literal('label'), postIds: PostIds, add: Labels, remove: Labels }),
  z.object({ action: z.literal('delete'), postIds: PostIds }),
  z.object({ action: z.literal('restore'), postIds: PostIds }),
  z.object({ action: z.literal('retry'), postIds: PostIds }),
])
export type BulkAction = z.infer<typeof BulkAction>

export const bulkPosts = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/bulk',
  summary: 'Apply one action to many posts; returns one result per post, in request order',
  access: can('post', 'edit', 'create', 'delete', 'publish'),
  cost: 'bulk',
  changes: ['post'],
  params: ProjectParams,
  body: BulkAction,
  reply: z.object({
    results: z.array(
      z.object({
        postId: Id,
        ok: z.boolean(),
        code: z.enum(errorCodes).optional(),
        /** Why not, as a sentence. */ reason: z.string().optional(),
      }),
    ),
    done: z.int(),
    failed: z.int(),
    message: z.string(),
  }),
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: { action: 'changed', entity: 'post' },
})

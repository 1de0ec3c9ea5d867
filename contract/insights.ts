import { z } from 'zod'
import { Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PostMetrics } from './metrics.ts'
import { listOf } from './postLists.ts'

export const PostReport = z.object({
  postId: Id,
  /** Whether the post's platform provides metrics at all. */
  told: z.boolean(),
  /** The latest metrics, and when they were read; null before the first reading. */
  figures: PostMetrics.nullable(),
  readAt: Instant.nullable(),
  /** The last reading of each day (UTC) with one, oldest first. */
  days: z.array(z.object({ date: z.iso.date(), figures: PostMetrics })),
})
export type PostReport = z.infer<typeof PostReport>

export const postReport = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/report/:postId',
  summary: "Get the platform's metrics for a published post, collected after 1 hour, 24 hours, 7 days, then weekly",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post'],
  params: ProjectParams.extend({ postId: Id }),
  reply: PostReport,
  errors: ['NOT_FOUND'],
  audit: null,
})

/** As many as a page of a list has, and more. */
const MOST_REPORTS = 100
export const postReports = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/report',
  summary: 'Get the latest metrics of several published posts',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post'],
  params: ProjectParams,
  query: z.object({
    postIds: listOf(Id).pipe(
      z.array(Id).min(1, 'Choose a post').max(MOST_REPORTS, `Choose at most ${MOST_REPORTS} posts`),
    ),
  }),
  reply: z.object({
    /** Of those posts that the caller can see and that have metrics. */
    reports: z.array(z.object({ postId: Id, figures: PostMetrics, readAt: Instant })),
  }),
  audit: null,
})

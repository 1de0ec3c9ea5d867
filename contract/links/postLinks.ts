import { z } from 'zod'
import { can, endpoint } from '../endpoint.ts'
import { PostParams } from '../postLists.ts'

/** A link of a post, and what is published for it. */
export const PostLink = z.object({
  /** As it was written. */
  address: z.string(),
  /** Where it leads, with its tags; null for one that stays as it is. */
  target: z.string().nullable(),
  /** Its short link; null if it has none, or none yet. */
  shortUrl: z.string().nullable(),
  /** It's published as a short link. */
  shortened: z.boolean(),
})
export type PostLink = z.infer<typeof PostLink>

export const postLinks = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/:postId/links',
  summary: 'List the links of a post and what is published for each',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post'],
  params: PostParams,
  reply: z.object({ links: z.array(PostLink) }),
  errors: ['NOT_FOUND'],
  audit: null,
})

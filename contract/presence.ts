import { z } from 'zod'
import { Id, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PostState } from './postStates.ts'

/** How long a person counts as editing after their last call; repeat the call in half the time. */
export const PRESENCE_SECONDS = 30

export const Editor = z.object({ userId: Id, name: z.string(), profileUrl: z.string().nullable() })
export type Editor = z.infer<typeof Editor>

export const editingPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/:postId/presence',
  summary:
    "Report that you started or stopped editing a post. Returns who else is editing and the post's status. Sends the live event `presence` when someone joins or leaves",
  access: can('post', 'edit', 'create'),
  cost: 'light',
  reads: ['presence', 'post', 'channel', 'taxonomy'],
  params: ProjectParams.extend({ postId: Id }),
  body: z.object({ editing: z.boolean().default(true) }),
  reply: z.object({ editors: z.array(Editor), status: PostState }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  audit: { none: 'it says who is where, and changes nothing' },
})

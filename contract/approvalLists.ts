import { ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { listReads, PostFilter, PostList } from './postLists.ts'

/* Lists of posts in approval, in a module of their own: the rail of every page needs one, and no workflow. */

const queueOf = (name: 'all' | 'me' | 'sent', summary: string) =>
  endpoint({
    method: 'GET',
    path: `/api/:orgId/project/:projectId/post/needs-approval/${name}`,
    summary,
    access: can('post', 'view'),
    cost: 'list',
    reads: listReads,
    revisioned: 'posts',
    params: ProjectParams,
    query: PostFilter,
    reply: PostList,
    audit: null,
  })
export const approvalsAll = queueOf('all', 'List posts waiting for approval')
export const approvalsOfMe = queueOf('me', 'List posts that need your approval')
export const approvalsSent = queueOf('sent', 'List posts that you sent for approval')

import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint, everybody } from './endpoint.ts'
import { Email } from './identity.ts'
import { TaxonomyName } from './labels.ts'
import { Post } from './posts.ts'
import { PostState } from './postStates.ts'

/** Who approves a step: members by name, anyone with a role, people outside the organization by a signed link. */
export const Approver = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), userId: Id }),
  z.object({ kind: z.literal('role'), roleId: Id }),
  z.object({
    kind: z.literal('external'),
    email: Email,
    name: z.string().trim().min(1, 'A name is required').max(100),
  }),
])
export type Approver = z.infer<typeof Approver>
export const WorkflowStep = z.object({
  /** `any`: one approval is enough; `all`: each named approver, and one holder of each named role. */
  needs: z.enum(['any', 'all']),
  approvers: z.array(Approver).min(1, 'Choose at least one approver').max(20),
})
export type WorkflowStep = z.infer<typeof WorkflowStep>
export const WORKFLOW_STEPS_MOST = 10
const WorkflowBody = z.object({
  name: TaxonomyName,
  steps: z.array(WorkflowStep).min(1, 'Add a step').max(WORKFLOW_STEPS_MOST),
})

export const Workflow = z.object({
  workflowId: Id,
  name: z.string(),
  /** Every project starts with "any Admin"; it can't be deleted. */
  isDefault: z.boolean(),
  steps: z.array(
    WorkflowStep.extend({
      approvers: z.array(
        z.object({
          kind: z.enum(['member', 'role', 'external']),
          id: z.string(),
          name: z.string(),
          /** They left, or the role is gone: nobody can approve for it. */ gone: z.boolean(),
        }),
      ),
    }),
  ),
  /** Posts waiting in it. */
  waiting: z.int(),
})
export type Workflow = z.infer<typeof Workflow>
const WorkflowParams = ProjectParams.extend({ workflowId: Id })

export const listWorkflows = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/workflow',
  summary: 'List workflows',
  access: can('workflow', 'view'),
  cost: 'light',
  reads: ['taxonomy', 'post', 'member'],
  params: ProjectParams,
  reply: z.object({ workflows: z.array(Workflow) }),
  audit: null,
})
export const createWorkflow = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/workflow',
  summary: 'Create a workflow',
  access: can('workflow', 'create'),
  cost: 'light',
  changes: ['taxonomy'],
  params: ProjectParams,
  body: WorkflowBody,
  reply: Done.extend({ workflowId: Id }),
  errors: ['PLAN_LIMIT', 'NAME_TAKEN', 'NOT_FOUND'],
  audit: { action: 'created', entity: 'workflow' },
})
export const editWorkflow = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/workflow/:workflowId',
  summary: 'Update a workflow; posts already waiting keep the steps they were sent with',
  access: can('workflow', 'edit'),
  cost: 'light',
  changes: ['taxonomy'],
  params: WorkflowParams,
  body: WorkflowBody,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NAME_TAKEN', 'NOT_FOUND'],
  audit: { action: 'edited', entity: 'workflow' },
})
export const deleteWorkflow = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/workflow/:workflowId',
  summary: 'Delete a workflow; posts already waiting keep their steps',
  access: can('workflow', 'delete'),
  cost: 'light',
  changes: ['taxonomy'],
  params: WorkflowParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { action: 'deleted', entity: 'workflow' },
})

/** Where a post is in its workflow. */
export const Approval = z.object({
  workflowName: z.string(),
  /** The status of the last round; `void` once the post became a draft. */
  state: z.enum(['open', 'approved', 'rejected', 'void']),
  step: z.int(),
  steps: z.array(
    z.object({
      needs: z.enum(['any', 'all']),
      approvers: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['member', 'role', 'external']),
          decided: z.enum(['approved', 'rejected']).nullable(),
          /** In the open step: they left, lost the permission or no longer have a link. */ gone: z.boolean(),
        }),
      ),
    }),
  ),
  /** Of every round of the post, in order: the record of who approved which content. */
  decisions: z.array(
    z.object({
      at: Instant,
      step: z.int(),
      by: z.string(),
      decision: z.enum(['approved', 'rejected']),
      comment: z.string(),
      /** The content that was decided on is the current one. */ current: z.boolean(),
    }),
  ),
  /** What changed since the caller last decided or looked; null if nothing did. */
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })).nullable(),
  mayDecide: z.boolean(),
  /** Nobody named in the open step can decide any more: admins of the organization can, so that no post is stuck. */
  adminsDecide: z.boolean(),
  /** Whether the caller may remind the approvers: they sent the post for approval, or may edit it. */
  mayRemind: z.boolean(),
  sentBy: z.string(),
  sentAt: Instant,
})
export type Approval = z.infer<typeof Approval>
const PostParams = ProjectParams.extend({ postId: Id })

export const postApproval = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/:postId/approval',
  summary: "Get a post's approval status, and who approved which version",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post', 'channel', 'member', 'taxonomy'],
  params: PostParams,
  reply: z.object({ approval: Approval.nullable() }),
  errors: ['NOT_FOUND'],
  audit: null,
})
/** The version that was reviewed: a decision on content that changed since is refused. */
const Decision = z.object({ version: z.int(), comment: z.string().trim().max(1000).default('') })
export const approvePost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/approve/:postId',
  summary: 'Approve a post in its current step',
  access: can('workflow', 'approve'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  body: Decision,
  reply: Done.extend({ status: PostState }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'POST_LOCKED', 'STALE_VERSION'],
  audit: { action: 'approved', entity: 'post' },
})
export const rejectPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/reject/:postId',
  summary: 'Reject a post with a reason',
  access: can('workflow', 'approve'),
  cost: 'post',
  changes: ['post'],
  params: PostParams,
  body: Decision.extend({ comment: z.string().trim().min(1, 'Say why').max(1000) }),
  reply: Done.extend({ status: PostState }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'POST_LOCKED', 'STALE_VERSION'],
  audit: { action: 'rejected', entity: 'post' },
})
export const remindApprovers = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/post/remind/:postId',
  summary: 'Remind the approvers, at most once an hour',
  access: can('post', 'create'),
  cost: 'light',
  changes: ['post'],
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'RATE_LIMITED'],
  audit: { action: 'reminded', entity: 'post' },
})

/** The page for someone outside the organization: one link per person and step. Opening it changes nothing. */
const LinkParams = z.object({ token: z.string().min(20).max(200) })
/**
 * Why a link can no longer be used. `closed`: the post was decided on, changed or withdrawn, and this person is no
 * longer asked. `replaced`: they're still asked, by a newer email. `revoked`: the team ended it, and sends no other for
 * this version. `expired`: it expired; a reminder contains a new one.
 */
export const LinkEnd = z.enum(['closed', 'replaced', 'revoked', 'expired'])
export type LinkEnd = z.infer<typeof LinkEnd>
export const readApprovalLink = endpoint({
  method: 'GET',
  path: '/api/public/approval/:token',
  /**
   * `decided`: with this link, and the post is unchanged since. `passed`: the link is no longer valid; nothing of the
   * post is sent.
   */
  summary: 'Get the post of an approval link',
  access: everybody,
  cost: 'light',
  reads: ['post'],
  params: LinkParams,
  reply: z.object({
    orgName: z.string(),
    projectName: z.string(),
    approver: z.string(),
    post: Post.omit({ timeline: true, draft: true }),
    approval: Approval,
    state: z.enum(['open', 'decided', 'passed']),
    /** Why a link is no longer valid. */
    ended: LinkEnd.nullable(),
  }),
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  audit: null,
})
export const readApprovalFile = endpoint({
  method: 'GET',
  path: '/api/public/approval/:token/file',
  summary: "Get a file of an approval link's post",
  access: everybody,
  cost: 'light',
  reads: ['post'],
  params: LinkParams,
  query: z.object({ assetId: Id }),
  reply: 'bytes',
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
  audit: null,
})
export const decideByLink = endpoint({
  method: 'POST',
  path: '/api/public/approval/:token',
  summary: 'Approve or reject a post through an approval link',
  access: everybody,
  cost: 'light',
  changes: ['post'],
  params: LinkParams,
  body: Decision.extend({ decision: z.enum(['approved', 'rejected']) }).refine(
    ({ decision, comment }) => decision === 'approved' || comment !== '',
    { path: ['comment'], message: 'Say why' },
  ),
  reply: Done,
  errors: ['NOT_FOUND', 'POST_LOCKED', 'STALE_VERSION', 'RATE_LIMITED'],
  audit: { none: 'the decision itself is the record: by whom, when, on which content' },
})
export const revokeApprovalLink = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/post/:postId/approval-links',
  summary: 'End all approval links of a post',
  access: can('workflow', 'edit'),
  cost: 'light',
  changes: ['post'],
  params: PostParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'revoked', entity: 'approval_link' },
})

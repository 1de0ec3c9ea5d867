import { z } from 'zod'
import { ConversationKind, conversationKinds } from '#contract/inbox/terms.ts'
import { allows } from '#contract/permissions.ts'
import { kindsFor } from '../../inbox/access.ts'
import type { Standing } from '../standing.ts'

/* What decides which parts of a report someone is shown: who has the same rights gets the same file. */

/** In a canonical order, so that the same rights are the same JSON. */
export const Rights = z.object({
  /** Null: all of the project. */
  channelIds: z.array(z.string()).nullable(),
  posts: z.boolean(),
  inbox: z.array(ConversationKind),
  isAdmin: z.boolean(),
})
export type Rights = z.infer<typeof Rights>

type Who = { org: Pick<Standing['org'], 'isAdmin'>; project: Pick<Standing['project'], 'channelIds' | 'permissions'> }

export const rightsOf = ({ org, project }: Who): Rights => ({
  channelIds: project.channelIds && project.channelIds.toSorted(),
  posts: allows(project.permissions, 'post', 'view'),
  inbox: kindsFor(project, 'view'),
  isAdmin: org.isAdmin,
})

/** The rights as text, by which they're compared. */
export const rightsKey = (rights: Rights): string =>
  JSON.stringify([
    rights.channelIds,
    rights.posts,
    conversationKinds.filter((kind) => rights.inbox.includes(kind)),
    rights.isAdmin,
  ])

/** Whether someone with these rights may see what was made for those. */
export const coversRights = (own: Rights, file: Rights): boolean =>
  (own.channelIds === null ||
    (file.channelIds !== null && file.channelIds.every((id) => own.channelIds?.includes(id)))) &&
  (own.posts || !file.posts) &&
  file.inbox.every((kind) => own.inbox.includes(kind)) &&
  (own.isAdmin || !file.isAdmin)

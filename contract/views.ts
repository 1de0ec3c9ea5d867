import { z } from 'zod'
import { Done, Id, ProjectParams } from './common.ts'
import { anyInProject, endpoint } from './endpoint.ts'
import type { Action, Resource } from './permissions.ts'

/** The pages whose filters, and columns, can be saved. `insights` is the post table. */
export const savedViewPages = ['calendar', 'posts', 'inbox', 'insights'] as const
/** A saved view: the query string of a list, the calendar, the inbox or the post table, under a name. Belongs to one person. */
export const SavedView = z.object({
  viewId: Id,
  name: z.string(),
  page: z.enum(savedViewPages),
  search: z.string(),
})
export type SavedView = z.infer<typeof SavedView>
/** A person's, of one page of a project. */
export const SAVED_VIEWS_MOST = 50
/** What a role needs to see a page, and with it the page's saved views. */
export const viewNeeds = {
  calendar: ['post', 'view'],
  posts: ['post', 'view'],
  inbox: ['inbox', 'view'],
  insights: ['insights', 'view'],
} as const satisfies Record<SavedView['page'], readonly [Resource, Action]>

export const listViews = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/view',
  summary: 'List your saved views of the pages that your role allows',
  access: anyInProject,
  cost: 'light',
  reads: ['view'],
  params: ProjectParams,
  reply: z.object({ views: z.array(SavedView) }),
  audit: null,
})
export const saveView = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/view',
  summary: 'Save a view. Replaces one with the same name',
  access: anyInProject,
  cost: 'light',
  changes: ['view'],
  params: ProjectParams,
  body: z.object({
    name: z.string().trim().min(1, 'A name is required').max(50, 'This name is too long'),
    page: z.enum(savedViewPages),
    search: z.string().max(2000),
  }),
  reply: Done.extend({ viewId: Id }),
  errors: ['BAD_INPUT'],
  audit: { none: "a person's own mark" },
})
export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/view/:viewId',
  summary: 'Delete one of your saved views',
  access: anyInProject,
  cost: 'light',
  changes: ['view'],
  params: ProjectParams.extend({ viewId: Id }),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { none: "a person's own mark" },
})

import { z } from 'zod'
import { Done, Id, ProjectParams } from './common.ts'
import { HASHTAG_GROUP_MOST, LABEL_COLORS } from './constants.ts'
import { can, endpoint } from './endpoint.ts'
import { TAG_LETTERS, TAG_OTHERS } from './hashtag.ts'

export const taxonomyStates = ['ACTIVE', 'ARCHIVED'] as const
export const TaxonomyState = z.enum(taxonomyStates)
export type TaxonomyState = z.infer<typeof TaxonomyState>

/** Names of labels, campaigns and hashtag groups: unique in the project, ignoring case. */
export const TaxonomyName = z.string().trim().min(1, 'A name is required').max(50, 'This name is too long')
export const LabelColor = z.enum(LABEL_COLORS)

export const Label = z.object({
  labelId: Id,
  labelName: z.string(),
  color: LabelColor,
  state: TaxonomyState,
  /** Posts with it. */ posts: z.int(),
})
export type Label = z.infer<typeof Label>
const LabelBody = z.object({ labelName: TaxonomyName, color: LabelColor })
const LabelParams = ProjectParams.extend({ labelId: Id })

export const listLabels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/label',
  summary: 'List labels by name, including archived ones',
  access: can('label', 'view'),
  cost: 'light',
  reads: ['taxonomy', 'post'],
  params: ProjectParams,
  query: z.object({ state: TaxonomyState.optional() }),
  reply: z.object({ labels: z.array(Label) }),
  audit: null,
})
export const createLabel = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/label',
  summary: 'Create a label',
  access: can('label', 'create'),
  cost: 'light',
  changes: ['taxonomy'],
  params: ProjectParams,
  body: LabelBody,
  reply: Done.extend({ labelId: Id }),
  errors: ['NAME_TAKEN'],
  audit: { action: 'created', entity: 'label' },
})
export const editLabel = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/label/:labelId',
  summary: 'Update, archive or restore a label',
  access: can('label', 'edit'),
  cost: 'light',
  changes: ['taxonomy'],
  params: LabelParams,
  body: LabelBody.partial().extend({ state: TaxonomyState.optional() }),
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN'],
  audit: { action: 'edited', entity: 'label' },
})
export const deleteLabel = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/label/:labelId',
  summary: 'Delete a label and remove it from posts',
  access: can('label', 'delete'),
  cost: 'light',
  changes: ['taxonomy'],
  params: LabelParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'label' },
})

const hashTag = new RegExp(String.raw`^[${TAG_LETTERS}${TAG_OTHERS}\p{N}]*$`, 'u')
/** A hashtag as it's stored: without the #, letters, digits and underscores, not only digits. */
export const HashTag = z
  .string()
  .trim()
  .transform((text) => text.replace(/^[#＃]/, ''))
  .pipe(
    z
      .string()
      .max(100, 'This hashtag is too long')
      .regex(hashTag, 'A hashtag can only have letters, digits and underscores')
      .refine((tag) => /[\p{L}\p{M}_]/u.test(tag), 'A hashtag needs at least one letter'),
  )

export const HashtagGroup = z.object({ hashtagGroupId: Id, name: z.string(), hashTags: z.array(z.string()) })
export type HashtagGroup = z.infer<typeof HashtagGroup>
const HashtagGroupBody = z.object({
  name: TaxonomyName,
  hashTags: z
    .array(HashTag)
    .min(1, 'Add at least one hashtag')
    .max(HASHTAG_GROUP_MOST, 'Cannot add more than 30 hashtags'),
})
const HashtagGroupParams = ProjectParams.extend({ hashtagGroupId: Id })

export const listHashtagGroups = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/hashtag',
  summary: 'List hashtag groups by name',
  access: can('hash_tags', 'view'),
  cost: 'light',
  reads: ['taxonomy'],
  params: ProjectParams,
  reply: z.object({ groups: z.array(HashtagGroup) }),
  audit: null,
})
export const createHashtagGroup = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/hashtag',
  summary: 'Create a hashtag group',
  access: can('hash_tags', 'create'),
  cost: 'light',
  changes: ['taxonomy'],
  params: ProjectParams,
  body: HashtagGroupBody,
  reply: Done.extend({ hashtagGroupId: Id }),
  errors: ['NAME_TAKEN'],
  audit: { action: 'created', entity: 'hashtag_group' },
})
export const editHashtagGroup = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/hashtag/:hashtagGroupId',
  summary: 'Update a hashtag group',
  access: can('hash_tags', 'edit'),
  cost: 'light',
  changes: ['taxonomy'],
  params: HashtagGroupParams,
  body: HashtagGroupBody,
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN'],
  audit: { action: 'edited', entity: 'hashtag_group' },
})
export const deleteHashtagGroup = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/hashtag/:hashtagGroupId',
  summary: 'Delete a hashtag group',
  access: can('hash_tags', 'delete'),
  cost: 'light',
  changes: ['taxonomy'],
  params: HashtagGroupParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'hashtag_group' },
})

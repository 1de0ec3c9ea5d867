import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'

/** What `{{…}}` in a canned response can stand for; `{{name|there}}` gives the word for when it isn't known. */
export const responseVariables = ['name', 'handle', 'channel', 'post_link', 'agent'] as const
export type ResponseVariable = (typeof responseVariables)[number]
// whatever stands in two braces, so that a misspelled name is refused and never sent as it is
const VARIABLE = /\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g

/** The names in braces that stand for nothing. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(VARIABLE)]
    .map(([, name = '']) => name)
    .filter((name) => !responseVariables.some((known) => known === name))

/** The text with its variables filled in: by their fallback word where one isn't known, and by nothing without that. */
export const fillIn = (text: string, values: Partial<Record<ResponseVariable, string>>): string =>
  text.replaceAll(VARIABLE, (whole, name: string, fallback: string | undefined) => {
    const known = responseVariables.find((variable) => variable === name)
    if (!known) return whole
    return values[known]?.trim() || fallback?.trim() || ''
  })

export const CANNED_RESPONSES_MOST = 500
const ResponseName = z.string().trim().min(1, 'A name is required').max(50, 'This name is too long')
const ResponseText = z
  .string()
  .trim()
  .min(1, 'Write something')
  .max(2000, 'This text is too long')
  .refine((text) => unknownVariables(text).length === 0, {
    error: ({ input }) => `Unknown variable: {{${typeof input === 'string' ? unknownVariables(input)[0] : ''}}}`,
  })

export const CannedResponse = z.object({
  responseId: Id,
  name: z.string(),
  text: z.string(),
  author: z.object({ userId: Id, name: z.string() }).nullable(),
  updatedAt: Instant,
  /** How often it was sent. */
  used: z.int(),
})
export type CannedResponse = z.infer<typeof CannedResponse>
export const CannedResponseBody = z.object({ name: ResponseName, text: ResponseText })
const ResponseParams = ProjectParams.extend({ responseId: Id })
const path = '/api/:orgId/project/:projectId/canned-response'

export const listCannedResponses = endpoint({
  method: 'GET',
  path,
  summary: 'List canned responses, most used first',
  access: can('canned_response', 'view'),
  cost: 'light',
  reads: ['canned-response'],
  params: ProjectParams,
  reply: z.object({ responses: z.array(CannedResponse) }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const createCannedResponse = endpoint({
  method: 'POST',
  path,
  summary: 'Create a canned response',
  access: can('canned_response', 'create'),
  cost: 'light',
  changes: ['canned-response'],
  params: ProjectParams,
  body: CannedResponseBody,
  reply: Done.extend({ responseId: Id }),
  errors: ['NAME_TAKEN', 'PLAN_LIMIT', 'BAD_INPUT'],
  audit: { action: 'created', entity: 'canned_response' },
})
export const editCannedResponse = endpoint({
  method: 'PUT',
  path: `${path}/:responseId`,
  summary: 'Edit a canned response',
  access: can('canned_response', 'edit'),
  cost: 'light',
  changes: ['canned-response'],
  params: ResponseParams,
  body: CannedResponseBody,
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'canned_response' },
})
export const deleteCannedResponse = endpoint({
  method: 'DELETE',
  path: `${path}/:responseId`,
  summary: 'Delete a canned response',
  access: can('canned_response', 'delete'),
  cost: 'light',
  changes: ['canned-response'],
  params: ResponseParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'canned_response' },
})

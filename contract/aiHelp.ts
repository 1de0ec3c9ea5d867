import { z } from 'zod'
import { Id, ProjectParams } from './common.ts'
import { TEXT_LIMIT_DEFAULT } from './constants.ts'
import { can, endpoint } from './endpoint.ts'
import { HashTag } from './labels.ts'
import { PostType } from './platforms/rules.ts'

/** What AI helps with while a post is written. A post's history names the kinds of accepted suggestions. */
export const aiHelpKinds = ['write', 'shorten', 'adapt', 'hashtags', 'altText'] as const
export const AiHelpKind = z.enum(aiHelpKinds)
export type AiHelpKind = z.infer<typeof AiHelpKind>
/** Each kind once. */
export const AiHelped = z.array(AiHelpKind).max(aiHelpKinds.length)

/** Where the text will be used: its rules limit the suggestion. */
const Target = z.object({ channelId: Id, postType: PostType })
const targets = z.array(Target).max(100)
const text = z.string().trim().min(1, 'Write something first').max(TEXT_LIMIT_DEFAULT)

export const AiHelpQuestion = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('write'),
    brief: z.string().trim().min(1, 'Say what the post is about').max(1000, 'Use at most 1000 characters'),
    targets,
  }),
  z.object({ kind: z.literal('shorten'), text, targets }),
  /** A version for each platform and post type among the targets. */
  z.object({ kind: z.literal('adapt'), text, targets: targets.min(1, 'Choose a channel first') }),
  z.object({ kind: z.literal('hashtags'), text, targets }),
  /** What an image shows; `text` is its post. */
  z.object({ kind: z.literal('altText'), assetId: Id, text: z.string().max(TEXT_LIMIT_DEFAULT).optional(), targets }),
])
export type AiHelpQuestion = z.infer<typeof AiHelpQuestion>

export const AiHelpAnswer = z.object({
  /**
   * One text for all targets; for `adapt`, one for each platform and post type, with its channels. Within their limits.
   */
  suggestions: z.array(z.object({ channelIds: z.array(Id), text: z.string() })),
  /** Without the #; those in the text are left out. */
  hashTags: z.array(HashTag),
  /** The organization's remaining credits this month. */
  creditsLeft: z.int(),
})
export type AiHelpAnswer = z.infer<typeof AiHelpAnswer>

export const aiHelp = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/ai/help',
  summary: 'Get a suggestion for a post being written. Changes nothing; uses one AI credit per text',
  access: can('post', 'create', 'edit'),
  cost: 'ai',
  reads: [],
  params: ProjectParams,
  body: AiHelpQuestion,
  reply: AiHelpAnswer,
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'AI_NOT_SET_UP', 'AI_PROMPT_GENERATION_ERROR', 'MEDIA_REFUSED'],
  audit: { none: 'a suggestion; what is taken of it stands in the history of its post' },
})

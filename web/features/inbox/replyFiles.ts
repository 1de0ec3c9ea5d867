import type { ComponentType, ReactNode, Ref } from 'react'
import { z } from 'zod'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import type { ConversationRow } from './heldConversations.ts'

/** A picture of a reply that is being written: a file of the project, as the server read it. */
export const ReplyFile = z.object({
  assetId: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  altText: z.string(),
})
export type ReplyFile = z.infer<typeof ReplyFile>

/** Where pictures are added to a reply, and what became of them. */
export type FilesHere = {
  /** The buttons that add some. */
  tools: ReactNode
  /** Those that were added, with their progress and what is wrong with them. */
  tray: ReactNode
  /** Why the reply can't be sent yet. */
  problem: string | undefined
  /** Takes files that were pasted or dropped. */
  add: (files: readonly File[]) => void
}
export type FilesHandle = { replace: (files: readonly ReplyFile[]) => void }

/** Keeps the pictures of a reply: other features bring it, because they know uploads and the library. */
export type ReplyFilesSlot = ComponentType<{
  row: Pick<ConversationRow, 'kind' | 'channel'>
  /** The account's own limits. */
  limits: ChannelLimits | null
  initial: readonly ReplyFile[]
  /** Gets those that have arrived, after each change. */
  onChange: (files: readonly ReplyFile[]) => void
  ref: Ref<FilesHandle>
  children: (files: FilesHere) => ReactNode
}>

import type { UnfinishedUpload } from '#contract/drafts.ts'
import type { Attachment } from '#web/features/media/attachments.ts'

/** The files whose upload hadn't ended that weren't attached again since. */
export const missingOf = (
  unfinished: readonly UnfinishedUpload[],
  attached: readonly Attachment[],
): UnfinishedUpload[] =>
  unfinished.filter(({ fileName, bytes }) => !attached.some((one) => one.fileName === fileName && one.bytes === bytes))

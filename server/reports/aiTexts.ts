import type { BlockOf, ReportContent } from '#contract/reports/content.ts'
import type { CallerProject } from '../http/route.ts'

type Role = Pick<CallerProject, 'channelIds'>
type Block = ReportContent['blocks'][number]

/** Whether a role includes all channels that an AI text was written about. */
export const seesText = ({ channelIds }: Role, about: BlockOf<'ai'>['about']): boolean =>
  about === null || channelIds === null || about.channelIds.every((id) => channelIds.includes(id))

/** A report as someone edits it: without AI texts about channels that the role doesn't include. */
export const withoutHiddenTexts = (role: Role, content: ReportContent): ReportContent => ({
  ...content,
  blocks: content.blocks.map((block) =>
    block.kind === 'ai' && !seesText(role, block.about) ? { ...block, text: '' } : block,
  ),
})

/** What someone saves, with the texts that weren't shown to them as they were, unless they had others written. */
export function withHiddenTexts(role: Role, saved: ReportContent, content: ReportContent): ReportContent {
  const hidden = new Map(
    saved.blocks.flatMap((block) =>
      block.kind === 'ai' && !seesText(role, block.about) ? [[block.blockId, block] as const] : [],
    ),
  )
  const kept = (block: Block): Block => {
    const former = hidden.get(block.blockId)
    return block.kind === 'ai' && former && JSON.stringify(block.about) === JSON.stringify(former.about)
      ? { ...block, text: former.text }
      : block
  }
  return { ...content, blocks: content.blocks.map(kept) }
}

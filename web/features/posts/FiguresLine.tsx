import { postReports } from '#contract/insights.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { figuresText } from './figuresInShort.ts'

type Props = {
  /** The list's published posts, read together. */ postIds: readonly string[]
  postId: string
  platform: PlatformKey | undefined
}

/** What a published post got, in a few words; nothing before its first reading. */
export default function FiguresLine({ postIds, postId, platform }: Props) {
  const found = useCall(
    postReports,
    { params: useProjectIds(), query: { postIds: [...postIds] } },
    { handles: true, keepPrevious: true },
  )
  const report = found.data?.reports.find((one) => one.postId === postId)
  const text = report ? figuresText(report.figures, platform) : ''
  return text === '' ? null : <span className="tnum line-clamp-1 text-sm text-ink-muted">{text}</span>
}

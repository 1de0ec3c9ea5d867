import { aiHelpKinds, type AiHelpKind } from '#contract/aiHelp.ts'
import type { DraftBody } from '#contract/drafts.ts'
import type { PostRecord } from './access.ts'
import { draftOf } from './content.ts'
import type { NewTimelineEvent } from '../publishing/timeline.ts'

/** What a post's timeline says about accepted AI suggestions; nothing without any. */
export function aiTimelineEvents(
  postIds: readonly string[],
  kinds: readonly AiHelpKind[] | undefined,
  personId: string,
): NewTimelineEvent[] {
  const taken = aiHelpKinds.filter((kind) => kinds?.includes(kind))
  if (taken.length === 0) return []
  return postIds.map((postId) => ({ postId, kind: 'ai', personId, detail: { code: 'ai-helped', kinds: taken } }))
}

const helpedIn = (draft: DraftBody | null): AiHelpKind[] =>
  [draft?.aiHelp ?? [], ...Object.values(draft?.variants ?? {}).map(({ aiHelp = [] }) => aiHelp)].flat()

/** What a stored draft's timeline already says about AI. */
export const aiHelpKnownOf = (draft: PostRecord): AiHelpKind[] => [
  ...helpedIn(draftOf(draft)),
  ...(draft.origin === 'ai' ? (['write'] as const) : []),
]

/** What AI helped with since the draft was stored. */
export function newlyHelped(draft: DraftBody, before: DraftBody | null): AiHelpKind[] {
  const known = helpedIn(before)
  return helpedIn(draft).filter((kind) => !known.includes(kind))
}

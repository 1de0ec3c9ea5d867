import { z } from 'zod'
import { DraftBody } from '#contract/drafts.ts'
import { forget, recall, remember } from '#web/lib/remember.ts'

/** What this browser has of a draft that isn't on the server yet. It belongs to one person in one project. */
const Copy = z.object({ version: z.int(), keptAt: z.string(), draft: DraftBody })
export type LocalCopy = z.infer<typeof Copy>
export type CopyPlace = { userId: string; projectId: string }

const PREFIX = 'rookery.'
const keyOf = ({ userId, projectId }: CopyPlace, draftId: string) => `draft.${userId}.${projectId}.${draftId}`

/** A copy's key: a draft's id; for an edited post, one that no draft has. */
export const copyNameOf = (postId: string, editing: boolean): string => (editing ? `edit-${postId}` : postId)

export function keepCopy(
  place: CopyPlace,
  draftId: string,
  copy: { version: number; draft: DraftBody } | undefined,
): void {
  if (copy) return remember(keyOf(place, draftId), JSON.stringify({ ...copy, keptAt: new Date().toISOString() }))
  forget(keyOf(place, draftId))
}

export function readCopy(place: CopyPlace, draftId: string): LocalCopy | undefined {
  const text = recall(keyOf(place, draftId))
  if (text === undefined) return undefined
  try {
    return Copy.parse(JSON.parse(text))
  } catch {
    // written by another version of this page, or truncated: it can't be read anymore
    return undefined
  }
}

/** Every draft whose last text didn't reach the server, newest first. */
export function allCopies(place: CopyPlace): { draftId: string; copy: LocalCopy }[] {
  const start = PREFIX + keyOf(place, '')
  let keys: string[] = []
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(start))
  } catch {
    // storage is turned off
  }
  return keys
    .map((key) => key.slice(start.length))
    .flatMap((draftId) => {
      const copy = readCopy(place, draftId)
      return copy && !draftId.startsWith('edit-') ? [{ draftId, copy }] : []
    })
    .toSorted((a, b) => b.copy.keptAt.localeCompare(a.copy.keptAt))
}

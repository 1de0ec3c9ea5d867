import type { Waking } from '#contract/plans.ts'
import { reactivationText } from './planWords.ts'

/** What becomes active again with a purchase, shown before it's made. */
export function ReactivationNote({ wakes }: { wakes: Waking }) {
  const text = reactivationText(wakes)
  return text ? <p className="text-pretty text-ok">{text}</p> : null
}

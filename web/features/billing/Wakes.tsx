import type { Waking } from '#contract/plans.ts'
import { wakesText } from './planWords.ts'

/** What becomes active again with a purchase, shown before it's made. */
export function Wakes({ wakes }: { wakes: Waking }) {
  const text = wakesText(wakes)
  return text ? <p className="text-pretty text-ok">{text}</p> : null
}

import type { BioPage } from '#contract/linkInBio/pages.ts'
import type { Tone } from '#web/ui/tones.ts'

/** A page's state in a word, and its color. */
export function pageState({ live, blocked, editable }: Pick<BioPage, 'live' | 'blocked' | 'editable'>): {
  word: string
  tone: Tone
} {
  if (blocked) return { word: 'Stopped', tone: 'bad' }
  if (!editable) return { word: live ? 'Live, not in your plan' : 'Not in your plan', tone: 'wait' }
  return live ? { word: 'Live', tone: 'ok' } : { word: 'Not live', tone: 'neutral' }
}

/** "rookery.example/b/harbor": an address as people read it. */
export const shortAddress = (address: string): string => address.replace(/^https?:\/\//, '')

import { mkdir, rm } from 'node:fs/promises'
import { checkedFolder, visited } from './axe.ts'
import { everyKey } from './screens.ts'

/**
 * Around a run: what `axe` remembers of the one before is gone. If every journey is played, every entry of screens.ts
 * must have been visited.
 */
export default async function begin(): Promise<() => void> {
  await rm(checkedFolder, { recursive: true, force: true })
  await mkdir(checkedFolder, { recursive: true })
  return () => {
    if (process.env['JOURNEYS'] !== 'all') return
    const seen = visited()
    const missing = everyKey().filter((key) => !seen.has(key))
    if (missing.length > 0)
      throw new Error(`Listed in e2e/screens.ts, but no journey calls axe there: ${missing.join('; ')}`)
  }
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** How late the last of 500 posts over 10 channels may be, in seconds, whether servers answer at once or after 200 ms. */
export const MOST_LATE = 5
const POSTS = 500
export const own = fileURLToPath(new URL('..', import.meta.url))

/** What became of 500 posts that were due at once: how late the last of them was, and half of them, in seconds. */
export type Burst = { server: string; latencyMs: number; posts: number; last: number; half: number; twice: number }

/** Runs _burst.ts for a checkout. */
export async function burstsOf(folder: string, flags: readonly string[] = []): Promise<Burst[]> {
  const program = fileURLToPath(new URL('_burst.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, ...flags], { maxBuffer: 1_000_000 })
  // printed by bench/_burst.ts
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Burst)
}

/** Whether every post was sent once, and in time. */
export const isGood = ({ posts, twice, last }: Burst): boolean => posts === POSTS && twice === 0 && last <= MOST_LATE

/** The bursts of this checkout, with a line about each. */
export async function measureBursts(): Promise<{ ok: boolean; line: string }[]> {
  return (await burstsOf(own)).map((burst) => ({
    ok: isGood(burst),
    line: `${burst.posts} due at once over 10 channels on ${burst.server} that answers after ${burst.latencyMs} ms: last ${burst.last.toFixed(2)} s late (at most ${MOST_LATE}), half of them ${burst.half.toFixed(2)} s; ${Math.round(burst.posts / burst.last)} a second; ${burst.twice} sent twice`,
  }))
}

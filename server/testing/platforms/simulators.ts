import { facebookSimulator } from './facebook.ts'
import { instagramSimulator } from './instagram.ts'
import type { Fetcher } from './pull.ts'
import { threadsSimulator } from './threads.ts'
import type { PlatformSimulator } from './world.ts'

export type Surroundings = {
  /** Fetches files that are pulled by address. */
  pull: Fetcher
}

/** Every simulated platform. Of two behind one host the one that knows its own comes first. */
export function simulators(around: Surroundings): PlatformSimulator[] {
  const facebook = facebookSimulator(around)
  return [instagramSimulator(around, facebook.world), facebook, threadsSimulator(around)]
}

/** The name of the job that advances promotions, for code that enqueues it. */
export const ADVANCE = { name: 'boosts.advance' } as const

/** The name of a promotion on the platform: unique, and people can find it. */
export const nameOf = (boostId: string): string => `Rookery ${boostId}`

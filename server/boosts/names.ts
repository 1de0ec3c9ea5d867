/** The job that carries promotions on, as whoever enqueues it knows it. */
export const ADVANCE = { name: 'boosts.advance' } as const

/** What a promotion is called at the platform: unique, and people find it by it. */
export const nameOf = (boostId: string): string => `Rookery ${boostId}`

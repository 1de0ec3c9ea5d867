/** The newest of some instants; null if there's none. */
export const newest = (instants: readonly (string | null)[]): string | null =>
  instants.reduce((latest, one) => (one !== null && (latest === null || one > latest) ? one : latest), null)

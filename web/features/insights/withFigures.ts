/** Those platforms that have a figure in these days. */
export const withFigures = <T extends { figures: readonly { value: number | null }[] }>(platforms: readonly T[]): T[] =>
  platforms.filter(({ figures }) => figures.some(({ value }) => value !== null))

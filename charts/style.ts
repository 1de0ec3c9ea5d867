/** Colors of series in order: at least 3:1 on any surface, in both themes. */
const COLORS = [
  'var(--accent)',
  'var(--label-orange)',
  'var(--label-purple)',
  'var(--label-green)',
  'var(--label-pink)',
  'var(--label-blue)',
  'var(--label-yellow)',
  'var(--label-red)',
  'var(--label-dark-blue)',
  'var(--label-cyan)',
  'var(--label-black)',
]
export const colorOf = (order: number): string => COLORS[order % COLORS.length] ?? 'var(--accent)'

/** Lines also differ by their dashes, for people who don't tell the colors apart. */
const DASHES = ['', '7 4', '2 4', '11 4 2 4', '5 2', '1 3', '9 3 1 3 1 3', '14 4']
export const dashOf = (order: number): string => DASHES[order % DASHES.length] ?? ''
/** The line that another is compared with. */
export const COMPARED_DASH = '3 4'

/** Bars after the first are hatched, each at another angle. */
export const hatchOf = (order: number): number | null => (order === 0 ? null : (order * 45) % 180)

import type { LABEL_COLORS } from '#contract/constants.ts'

export type LabelColor = (typeof LABEL_COLORS)[number]

/** Each color of labels and campaigns: its name on screen, and its dot. */
export const labelLook: Record<LabelColor, { name: string; dot: string }> = {
  purple: { name: 'Purple', dot: 'bg-label-purple' },
  pink: { name: 'Pink', dot: 'bg-label-pink' },
  red: { name: 'Red', dot: 'bg-label-red' },
  orange: { name: 'Orange', dot: 'bg-label-orange' },
  yellow: { name: 'Yellow', dot: 'bg-label-yellow' },
  green: { name: 'Green', dot: 'bg-label-green' },
  cyan: { name: 'Cyan', dot: 'bg-label-cyan' },
  'dark-blue': { name: 'Dark blue', dot: 'bg-label-dark-blue' },
  black: { name: 'Black', dot: 'bg-label-black' },
  blue: { name: 'Blue', dot: 'bg-label-blue' },
}

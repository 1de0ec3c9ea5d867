/** Labels are drawn with 11 px; a character is about this wide. */
const CHARACTER = 6.3

/** Chinese, Japanese and Korean characters, and pictures, are so much wider. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uffe6]/g
const MORE = 5

/** Rows of bars and boxes have text of 12 px instead. */
export const LARGER = 12 / 11

export const textWidth = (text: string): number => text.length * CHARACTER + (text.match(WIDE)?.length ?? 0) * MORE

/** The beginning of a text that fits, by whole characters as people see them. */
export function shortened(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  let kept = characters.length
  while (kept > 1 && textWidth(`${characters.slice(0, kept).join('')}…`) > room) kept -= 1
  return `${characters.slice(0, kept).join('').trimEnd()}…`
}

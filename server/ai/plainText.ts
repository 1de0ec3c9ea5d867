type Rule = { pattern: RegExp; to: string }

/** Markdown and HTML that platforms would show literally. Lists keep a bullet that people understand. */
const marks: readonly Rule[] = [
  { pattern: /<\/?[a-z][^<>]*>/giu, to: '' },
  { pattern: /^[ \t]*(?:```|~~~)[^\n]*\n?/gmu, to: '' },
  { pattern: /^[ \t]{0,3}#{1,6}[ \t]+/gmu, to: '' },
  { pattern: /^[ \t]{0,3}>[ \t]+/gmu, to: '' },
  { pattern: /^([ \t]*)[-*+][ \t]+/gmu, to: '$1• ' },
  // without an address only its label stays; an address is looked at after this
  { pattern: /!?\[([^\][\n]*)\]\(\s*\)/gu, to: '$1' },
  { pattern: /!?\[([^\][\n]*)\]\(\s*([^()\s]+)[^()\n]*\)/gu, to: '$1 $2' },
  { pattern: /\*\*(?=\S)([^\n]{0,500}?\S)\*\*/gu, to: '$1' },
  { pattern: /(?<![\w@/.])__(?=\S)([^\n]{0,500}?\S)__(?!\w)/gu, to: '$1' },
  { pattern: /(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/gu, to: '$1' },
  { pattern: /(?<![\w@/.])_(?=[^\s_])([^_\n]*[^\s_])_(?!\w)/gu, to: '$1' },
  { pattern: /`([^`\n]+)`/gu, to: '$1' },
]

/** The text without Markdown and HTML. Kinds of markup that the person's own text (`source`) uses stay. */
export function withoutMarkup(text: string, source = ''): string {
  let words = text
  for (const { pattern, to } of marks) {
    pattern.lastIndex = 0
    if (source.search(pattern) < 0) words = words.replace(pattern, to)
  }
  return words
}

/** Marks where something was removed, until the words around it are tidied. Removed from texts beforehand. */
export const GAP = '\uE000'

const joints = String.raw`[\s,;:/|·•–—-]`
const joint = `${joints}*`
/**
 * The words that led to what was removed: "or , ,", " at ", "by". Starts where a run of joints starts, so that long
 * runs take no time.
 */
const gaps = new RegExp(
  String.raw`(?<!${joints})(?:${joint}(?:(?<![\p{L}\p{N}])(?:also|and|or|of|at|via|to|by|on|from|see)(?![\p{L}\p{N}])${joint}){0,3}${GAP})+`,
  'giu',
)

/** Closes the gaps: no commas, conjunctions, labels or empty brackets are left behind. */
export function closeGaps(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (!line.includes(GAP)) return [line]
      const closed = line
        .replaceAll(/[([{“"'‘]\s*((?:\uE000\s*[,;]?\s*)+)[)\]}”"'’]/gu, GAP)
        .replace(gaps, GAP)
        .replaceAll(/\s*\uE000\s*(?=[.,;:!?…)\]}”’]|$)/gu, '')
        .replaceAll(/\s*\uE000\s*/gu, ' ')
        .replace(/^[\s,;:.!?)–—-]+/u, '')
        .replace(/[\s,;:–—([{-]+$/u, '')
      return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(closed) ? [closed] : []
    })
    .join('\n')
}

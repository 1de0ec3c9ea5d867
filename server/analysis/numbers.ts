/** A number as a sentence has it. */
export type WrittenNumber = {
  start: number
  end: number
  /** Without its sign. */
  value: number
  /** How many decimals it's written with. */
  decimals: number
  /** 1,000 for "12.3K", and so on. */
  scale: number
  unit: 'count' | 'percent' | 'points'
  /** The sign in front of it; 0 without one. */
  sign: -1 | 0 | 1
  /** "doubled" and "halved" are changes. */
  isChange: boolean
}

const words = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const changes: Record<string, number> = { doubled: 100, tripled: 200, halved: 50 }
const scales: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  billion: 1e9,
}

/**
 * Words that say how many, how often or of what each, and can't be held against a figure: sentences with them aren't used. Ranks,
 * superlatives and averages are among them, because facts don't have them.
 */
const unchecked =
  /\b(?:once|twice|thrice|double|triple|quadrupled?|quintupled?|half|thirds?|quarters?|fifths?|tenths?|\w*fold|dozens?|couple|pair|several|hundreds?|hundredths?|thousands|millions|billions|trillions?|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+|first|second|fourth|sixth|seventh|eighth|ninth|tenth|most|mostly|majority|minority|best|worst|highest|lowest|largest|biggest|smallest|greatest|fewest|least|top|leading|strongest|weakest|record|nearly|almost|about|around|roughly|approximately|over|under|per|times|each|every|apiece|both|single|averag(?:e|es|ed|ing)|mean|typical(?:ly)?|respectively|minus|plus|negative|squared|cubed|multipl(?:e|es|ied|y)|divided|nil|nought|naught|day|handful|countless|numerous|duo|trio)\b/iu

/** What would make another number of the one before it, or is one: "three million", "3 bn", "a thousand", "MMXX". */
const unread =
  /\b(?:thousand|million|billion|trillion|\w*illions?|lakhs?|crores?|mil|mn|bn|mm|tn|grand|scores?|gross|myriads?|kilo|mega|giga|k)\b/iu
const roman = /\b[IVXLCDM]{2,}\b/u
/** Numbers that are worked with: "3 + 3", "3 / 4". */
const reckoned = /\d[%KMB]? ?[+−–—-] ?\d|\/ ?\d|\d ?\//iu

const number = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,'’])(?<sign>[+−–—-]\s?)?(?:(?<digits>\d{1,3}(?:,\d{3})+|\d+)(?<decimals>\.\d+)?(?:\s?(?<scale>K|M|B|k|thousand|million|billion)(?!\p{L}))?(?:\s?(?<unit>%|percentage\spoints?(?!\p{L})|percent(?!\p{L})|points?(?!\p{L})))?|(?<word>${words.join('|')})(?:\s(?<wordUnit>percentage\spoints?|percent|points?))?|(?<change>doubled|tripled|halved))(?![\p{L}\p{N}%]|[.,]\d)`,
  'giu',
)

/** The numbers of a sentence, in order; undefined if it says how many in a way that can't be checked. */
export function numbersIn(text: string): WrittenNumber[] | undefined {
  if ([unchecked, roman, reckoned].some((words) => words.test(text))) return undefined
  const found = [...text.matchAll(number)].map(({ 0: whole, index, groups = {} }): WrittenNumber => {
    const { sign, digits, decimals = '', scale, unit = groups['wordUnit'], word, change } = groups
    const changed = change === undefined ? undefined : changes[change.toLowerCase()]
    return {
      start: index,
      end: index + whole.length,
      value:
        changed ??
        (word === undefined
          ? Number(`${(digits ?? '').replaceAll(',', '')}${decimals}`)
          : words.indexOf(word.toLowerCase())),
      decimals: Math.max(0, decimals.length - 1),
      scale: scale === undefined ? 1 : (scales[scale.toLowerCase()] ?? 1),
      unit:
        changed !== undefined || unit === '%' || unit?.toLowerCase() === 'percent'
          ? 'percent'
          : unit === undefined
            ? 'count'
            : 'points',
      sign: sign?.startsWith('+') ? 1 : sign !== undefined || change?.toLowerCase() === 'halved' ? -1 : 0,
      isChange: changed !== undefined,
    }
  })
  // a digit that isn't in one of them, in any script: "3rd", "½", "٣"
  const rest = withoutSpans(text, found)
  return /\p{N}|%/u.test(rest) || unread.test(rest) ? undefined : found
}

function withoutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let rest = text
  for (const { start, end } of spans.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`
  return rest
}

/**
 * Whether the number as it's written is this value: exactly, as people see it with at most two decimals, or shortened such as 12.3K.
 * A value never becomes 0 by rounding.
 */
export function isWrittenFor({ value, decimals, scale }: WrittenNumber, exact: number): boolean {
  const size = Math.abs(exact)
  if (value * scale === size) return true
  if (decimals > 2 || value === 0) return false
  // whole numbers are only shortened with K and so on, and not to a single digit
  if (scale === 1 ? Number.isInteger(size) : size / scale < (decimals === 0 ? 10 : 1)) return false
  return Number((size / scale).toFixed(decimals)) === value
}

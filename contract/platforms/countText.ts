import { storedText } from '../storedText.ts'
import { shownOnBluesky } from './blueskySpans.ts'
import { asCounted } from './fediverse.ts'
import { countGraphemes } from './graphemes.ts'
import type { TextLimit } from './rules.ts'
import { countWeighted } from './weighted.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const encoder = new TextEncoder()

/**
 * The length of the text by the platform's own count, as it will be stored. `addressLength` is how much a URL counts if the
 * account's server sets its own length.
 */
export function countText(written: string, unit: TextLimit['unit'], addressLength = ADDRESS_LENGTH): number {
  const text = storedText(written)
  switch (unit) {
    case 'utf16':
      return text.length
    case 'utf8bytes':
      return encoder.encode(text).length
    case 'characters':
      return Array.from(text).length
    case 'weighted':
      return countWeighted(text)
    case 'links23':
      return countShown(text, addressLength)
    case 'emojibytes':
      return countEmojiBytes(text)
    case 'shortened':
      return countGraphemes(shownOnBluesky(text).text)
    case 'shortenedbytes':
      return encoder.encode(shownOnBluesky(text).text).length
    case 'graphemes':
    default:
      return countGraphemes(text)
  }
}

const ADDRESS_LENGTH = 23
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u

/** Mastodon's count: graphemes, every URL the same length, and mentions without their server. */
function countShown(text: string, addressLength: number): number {
  const counted = asCounted(text)
  return countGraphemes(counted.text) + counted.addresses * (addressLength - 1)
}

function countEmojiBytes(text: string): number {
  let count = 0
  for (const { segment } of segmenter.segment(text))
    count += emoji.test(segment) ? encoder.encode(segment).length : Array.from(segment).length
  return count
}

import { platformLabel } from '../platforms/registry.ts'
import type { PostType } from '../platforms/rules.ts'
import { DAY_PART_HOURS, type PostMediaKind, type WorkedGroup } from './worked.ts'

/* What the groups of "What worked" are called, on screen and in texts. */

const types: Record<Exclude<PostType, 'post'>, string> = {
  reel: 'Reel',
  story: 'Story',
  video: 'Video',
  shorts: 'Short',
  offers: 'Offer',
  events: 'Event',
  update: 'Update',
  pin: 'Pin',
}
const media: Record<PostMediaKind, string> = {
  text: 'Text',
  picture: 'Picture',
  pictures: 'Several pictures',
  video: 'Video',
  document: 'Document',
  mixed: 'Pictures and video',
}
/** What a type of post always has, so that it says nothing to name it. */
const goesWithout: Partial<Record<PostType, readonly PostMediaKind[]>> = {
  reel: ['video'],
  video: ['video'],
  shorts: ['video'],
  pin: ['picture'],
}

/** A group's name, as its row is called: "Instagram · Reel", "Several pictures" among posts of one platform. */
export function groupName(group: WorkedGroup, { isOnePlatform = false }: { isOnePlatform?: boolean } = {}): string {
  switch (group.by) {
    case 'format': {
      const name = formatName(group.postType, group.media)
      return isOnePlatform ? name : `${platformLabel(group.platform)} · ${name}`
    }
    case 'label':
      return group.label?.labelName ?? 'No label'
    case 'weekday':
      return weekdayName(group.weekday)
    case 'hour':
      return hourName(group.hour)
    case 'weekdayHour':
      return `${weekdayName(group.weekday)}, ${hourName(group.hour)}`
    case 'dayPart':
      return partName(group.from)
    case 'weekdayPart':
      return `${weekdayName(group.weekday)}, ${partName(group.from)}`
    case 'length':
    default:
      return lengthName(group.length)
  }
}

function formatName(type: PostType, of: PostMediaKind | null): string {
  if (type === 'post') return of === null ? 'Post, media not known' : media[of]
  const isPlain = of === null || goesWithout[type]?.includes(of) === true
  return isPlain ? types[type] : `${types[type]}, ${media[of].toLowerCase()}`
}

function lengthName(length: { from: number; to: number | null } | null): string {
  if (length === null) return 'Not known'
  const { from, to } = length
  if (to === 0) return 'No text'
  return to === null ? `${from.toLocaleString('en')} characters and more` : `${from} to ${to} characters`
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** "Mon" of 1. */
export const weekdayName = (weekday: number): string => weekdays[weekday - 1] ?? ''
/** "09:00" */
export const hourName = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const partName = (from: number): string => `${hourName(from)} to ${hourName(from + DAY_PART_HOURS)}`

import { baseText, figureName, figureTitle } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { BlockKind, ReportBlock } from '#contract/reports/content.ts'
import type { BlockWidth } from '#contract/reports/layout.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** What each kind of block is called, and what it shows. */
export const kindWords: Record<BlockKind, { name: string; about: string }> = {
  cover: { name: 'Cover', about: 'Title, logo and days.' },
  text: { name: 'Text', about: 'Your own paragraphs and lists.' },
  figures: { name: 'Figures', about: 'Figures with their change, in total or by channel.' },
  chart: { name: 'Chart', about: 'One figure by day.' },
  postTable: { name: 'Post table', about: 'Published posts with their figures to date.' },
  topPosts: { name: 'Top posts', about: 'The posts with the most of a figure, with pictures.' },
  inbox: { name: 'Inbox and reply times', about: 'What was received and answered, and how soon.' },
  campaigns: { name: 'Campaigns', about: 'Campaigns side by side.' },
  competitors: { name: 'Competitors', about: 'Your channels beside competitors.' },
  bio: { name: 'Link in bio', about: 'Views, visitors and clicks of a page.' },
  ai: { name: 'AI text', about: 'A text that AI writes from the figures.' },
  pageBreak: { name: 'Page break', about: 'What follows begins on a new page.' },
}

/** In the order in which they're offered. */
export const kindGroups: readonly { title: string; kinds: readonly BlockKind[] }[] = [
  { title: 'Figures', kinds: ['figures', 'chart', 'inbox', 'competitors', 'bio'] },
  { title: 'Posts', kinds: ['topPosts', 'postTable', 'campaigns'] },
  { title: 'Words and pages', kinds: ['text', 'ai', 'cover', 'pageBreak'] },
]

export const widthWords: Record<BlockWidth, string> = { 2: 'A third', 3: 'Half', 4: 'Two thirds', 6: 'All' }
/** For screen readers: "Half of the width". */
export const widthText = (width: BlockWidth): string => `${widthWords[width]} of the width`

export const heights = ['s', 'm', 'l'] as const
export type Height = (typeof heights)[number]
export const heightWords: Record<Height, string> = { s: 'Low', m: 'Medium', l: 'High' }
export const byWords = { total: 'In total', channel: 'By channel', platform: 'By platform' } as const
export const shapeWords = { auto: 'What suits it', line: 'Lines', bars: 'Bars' } as const

/** "Followers, Views and impressions and 3 more" */
export function namesText(names: readonly FigureKey[]): string {
  if (names.length === 0) return 'No figures chosen'
  const shown = names.length > 3 ? names.slice(0, 2) : names
  const texts = shown.map(figureName)
  return names.length > shown.length ? `${texts.join(', ')} and ${names.length - shown.length} more` : texts.join(', ')
}

/** What a block shows, in a line. */
export function summaryOf(
  block: ReportBlock,
  pageName: (pageId: string) => string | undefined = () => undefined,
): string {
  switch (block.kind) {
    case 'cover':
      return block.subtitle.trim() || 'Title, logo and days'
    case 'text':
      return lineOf(block.text) || 'Nothing written yet'
    case 'figures':
      return [namesText(block.names), block.by === 'total' ? '' : byWords[block.by].toLowerCase(), ...narrowing(block)]
        .filter(Boolean)
        .join(' · ')
    case 'chart':
      return [
        `${figureName(block.name)} ${baseText(block.base, block.name)}`,
        block.by === 'total' ? '' : byWords[block.by].toLowerCase(),
        ...narrowing(block),
      ]
        .filter(Boolean)
        .join(' · ')
    case 'postTable':
      return [`Up to ${count(block.rows, 'post')}`, count(block.columns.length, 'column'), ...narrowing(block)].join(
        ' · ',
      )
    case 'topPosts':
      return [
        `${count(block.count, 'post')} by ${figureTitle('post', block.by).toLowerCase()}`,
        ...narrowing(block),
      ].join(' · ')
    case 'campaigns':
      return [
        block.ids ? count(block.ids.length, 'campaign') : 'Those with the most posts',
        namesText(block.names),
        ...narrowing(block),
      ].join(' · ')
    case 'competitors':
      return block.platforms ? block.platforms.map(platformName).join(', ') : 'All platforms that have some'
    case 'bio':
      return pageName(block.pageId) ?? "A page that was deleted, or that you can't see"
    case 'ai':
      return lineOf(block.text) || 'Not written yet'
    case 'inbox':
    case 'pageBreak':
    default:
      return kindWords[block.kind].about
  }
}

/** What a block is called in a list of them: its heading, or its kind, with what it shows where others are called the same. */
export function nameAmong(block: ReportBlock, blocks: readonly ReportBlock[]): string {
  const name = titleOf(block)
  const isAlone = blocks.filter((other) => titleOf(other) === name).length < 2
  return isAlone ? name : `${name}: ${summaryOf(block)}`
}
const titleOf = ({ heading, kind }: ReportBlock): string => heading.trim() || kindWords[kind].name

type Narrowed = Extract<ReportBlock, { channelIds: unknown }>
const narrowing = ({ channelIds, platforms }: Narrowed): string[] => [
  ...(channelIds ? [count(channelIds.length, 'channel')] : []),
  ...(platforms ? [platforms.map(platformName).join(', ')] : []),
]

const lineOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 120)

import type { FigureKey } from '../analytics/names.ts'
import type { ReportContent } from './content.ts'

/* What new reports begin with. */

export const reportTemplates = ['month', 'campaign', 'channel', 'empty'] as const
export type ReportTemplate = (typeof reportTemplates)[number]
export const templateWords: Record<ReportTemplate, { name: string; about: string }> = {
  month: { name: 'Month', about: 'Last month of all channels, against the month before.' },
  campaign: { name: 'Campaign', about: 'Posts of a campaign, with what they reached, in the last 90 days.' },
  channel: { name: 'Channel', about: 'One channel in the last 30 days: growth, figures and posts.' },
  empty: { name: 'Empty', about: 'Only a cover. Add what you need.' },
}

type Blocks = ReportContent['blocks']
type Block = Blocks[number]
/** A block's own parts; the others are those of a new block. */
type Own = { [K in Block['kind']]: Omit<Extract<Block, { kind: K }>, 'blockId' | 'width' | 'heading'> }[Block['kind']]
const blocksOf = (own: readonly (Own & Partial<Pick<Block, 'width' | 'heading'>>)[]): Blocks =>
  own.map((block, i) => ({ blockId: `b${i + 1}`, width: 6, heading: '', ...block }))

const all = { channelIds: null, platforms: null } as const
const cover = { kind: 'cover', subtitle: '' } as const
const posts: FigureKey[] = ['viewsAndImpressions', 'reactions', 'comments', 'shares', 'engagementRate']
const table = { kind: 'postTable', ...all, columns: posts, sort: 'publishedAt', order: 'desc', rows: 50 } as const
const total = { kind: 'figures', ...all, by: 'total' } as const
const line = { kind: 'chart', ...all, base: 'inTheseDays', shape: null, height: 'm' } as const

/** The content of a new report. `campaignId` and `channelId` are those of their templates. */
export function contentOf(
  template: ReportTemplate,
  { campaignId = null, channelId = null }: { campaignId?: string | null; channelId?: string | null } = {},
): ReportContent {
  const whole = { channelIds: null, platforms: null, campaignId: null, labelId: null, hashtag: null }
  switch (template) {
    case 'month':
      return {
        ...whole,
        days: { span: 'month', compare: 'before' },
        blocks: blocksOf([
          cover,
          {
            ...total,
            base: 'inTheseDays',
            names: ['followers', 'viewsAndImpressions', 'engagements', 'engagementRate', 'published', 'clicks'],
          },
          { ...line, name: 'viewsAndImpressions', by: 'platform', width: 3 },
          { ...line, name: 'engagements', by: 'platform', width: 3 },
          { ...total, by: 'channel', base: 'inTheseDays', names: ['followers', 'viewsAndImpressions', 'engagements'] },
          { kind: 'topPosts', ...all, by: 'engagements', count: 6 },
          { kind: 'inbox' },
          { kind: 'pageBreak' },
          table,
        ]),
      }
    case 'campaign':
      return {
        ...whole,
        campaignId,
        days: { span: '90', compare: 'off' },
        blocks: blocksOf([
          cover,
          {
            ...total,
            base: 'postsPublished',
            names: ['published', 'viewsAndImpressions', 'engagements', 'engagementRate', 'clicks', 'saves'],
          },
          { ...line, base: 'postsPublished', name: 'engagements', by: 'total' },
          { kind: 'topPosts', ...all, by: 'engagements', count: 6 },
          table,
        ]),
      }
    case 'channel':
      return {
        ...whole,
        channelIds: channelId === null ? null : [channelId],
        days: { span: '30', compare: 'before' },
        blocks: blocksOf([
          cover,
          {
            ...total,
            base: 'inTheseDays',
            names: [
              'followers',
              'followersGained',
              'viewsAndImpressions',
              'engagements',
              'engagementRate',
              'published',
            ],
          },
          { ...line, name: 'followers', by: 'total' },
          { ...line, name: 'engagements', by: 'total' },
          { kind: 'topPosts', ...all, by: 'engagements', count: 6 },
          table,
        ]),
      }
    case 'empty':
    default:
      return { ...whole, days: { span: '30', compare: 'before' }, blocks: blocksOf([cover]) }
  }
}

import type { BlockKind, BlockOf, ReportBlock, ReportContent } from '#contract/reports/content.ts'

/** An ID that no block of the report has. */
export function newBlockId(blocks: readonly Pick<ReportBlock, 'blockId'>[]): string {
  const used = new Set(blocks.map(({ blockId }) => blockId))
  let n = blocks.length + 1
  while (used.has(`b${n}`)) n += 1
  return `b${n}`
}

const narrowed = { channelIds: null, platforms: null } as const

type Own = { [K in BlockKind]: Omit<BlockOf<K>, 'blockId' | 'width' | 'heading' | 'kind'> }
const starts: Omit<Own, 'bio'> = {
  cover: { subtitle: '' },
  text: { text: '' },
  figures: {
    ...narrowed,
    base: 'inTheseDays',
    names: ['followers', 'viewsAndImpressions', 'engagements', 'engagementRate'],
    by: 'total',
  },
  chart: { ...narrowed, base: 'inTheseDays', name: 'viewsAndImpressions', by: 'total', shape: null, height: 'm' },
  postTable: {
    ...narrowed,
    columns: ['viewsAndImpressions', 'reactions', 'comments', 'shares', 'engagementRate'],
    sort: 'publishedAt',
    order: 'desc',
    rows: 50,
  },
  topPosts: { ...narrowed, by: 'engagements', count: 6 },
  inbox: {},
  campaigns: { ...narrowed, ids: null, names: ['published', 'viewsAndImpressions', 'engagements'] },
  competitors: { platforms: null },
  ai: { text: '', about: null, renew: false },
  pageBreak: {},
}

/** A block as it begins. A link in bio block needs to know its page. */
export function newBlock(kind: BlockKind, { blocks }: Pick<ReportContent, 'blocks'>, pageId: string): ReportBlock {
  const common = { blockId: newBlockId(blocks), width: 6, heading: '' } as const
  if (kind === 'bio') return { kind, ...common, pageId }
  // each kind has the start of its own name
  return { kind, ...common, ...starts[kind] } as ReportBlock
}

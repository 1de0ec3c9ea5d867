import type { BrandTalk } from '#contract/analytics/brand.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Table } from '#web/ui/Table.tsx'
import { FigureCell } from '../FigureCell.tsx'

type Row = BrandTalk['platforms'][number]
const numbers = new Intl.NumberFormat('en')
const DASH = '–'

/** What was written on each platform, and how it sounds where that may be judged. */
export function TalkByPlatform({ platforms }: { platforms: readonly Row[] }) {
  const number = (key: 'mentions' | 'comments' | 'reviews', header: string) => ({
    key,
    header,
    align: 'end' as const,
    cell: (row: Row) => <FigureCell value={numbers.format(row[key])} />,
  })
  const sound = (key: 'positive' | 'neutral' | 'negative' | 'notJudged', header: string) => ({
    key,
    header,
    align: 'end' as const,
    cell: ({ sounds }: Row) => <FigureCell value={sounds ? numbers.format(sounds[key]) : DASH} />,
  })
  return (
    <Table
      label="By platform"
      wide
      figures
      rows={platforms}
      rowKey={({ platform }) => platform}
      columns={[
        {
          key: 'platform',
          header: 'Platform',
          cell: ({ platform }) => (
            <span className="flex items-center gap-2.5">
              <PlatformIcon platform={platform} size={20} named />
              {platformName(platform)}
            </span>
          ),
        },
        number('mentions', 'Mentions'),
        number('comments', 'Comments'),
        number('reviews', 'Reviews'),
        sound('positive', 'Positive'),
        sound('neutral', 'Neutral'),
        sound('negative', 'Negative'),
        sound('notJudged', 'Not judged'),
      ]}
    />
  )
}

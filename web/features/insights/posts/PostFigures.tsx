import { figureText, termOf } from '#contract/analytics/labels.ts'
import { isClicks, type FigureKey } from '#contract/analytics/names.ts'
import { isOfPosts, postColumns } from '#contract/analytics/postColumns.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { count } from '#web/lib/format.ts'
import { Table } from '#web/ui/Table.tsx'
import { Definition } from '../Definition.tsx'
import { atAge, lastAge } from './sameAge.ts'

/** A platform reports views or impressions, so there's one of them without their sum. */
const ofOnePlatform = postColumns.filter((name) => name !== 'viewsAndImpressions')

type Row = {
  name: FigureKey
  /** To date. */ value: number
  /** At the age of the comparison. */ own: number | null
  /** Of others at that age. */ typical: number | null
}

/** Every figure of the post that its platform reports, in the platform's words, beside what it had at an age at which others are known, and their median. */
export function PostFigures({ post }: { post: PostInsights }) {
  const { platformName: platform, figures, curve, compares, readings } = post
  const derived: readonly FigureKey[] = ['engagements', 'engagementRate']
  const at = compares ? lastAge(curve) : null
  const rows = ofOnePlatform.flatMap((name): Row[] => {
    const value = figures?.[name]
    return value === undefined ? [] : [{ name, value, ...atAge(curve, name, at) }]
  })
  const silent = ofOnePlatform.filter(
    (name) => figures?.[name] === undefined && isOfPosts(platform, name) && !derived.includes(name) && !isClicks(name),
  )
  return (
    <div className="grid gap-2">
      <Table
        label="Figures to date"
        slim
        // with values in millions, four columns fit on a phone
        className="max-sm:text-sm"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'figure',
            header: 'Figure',
            cell: ({ name }) => (
              <span className="flex min-w-0 items-center gap-1">
                <span className="min-w-0 break-words">{termOf(platform, 'post', name)}</span>
                <Definition
                  base="postsPublished"
                  name={name}
                  title={termOf(platform, 'post', name)}
                  platforms={[platform]}
                />
              </span>
            ),
          },
          {
            key: 'value',
            header: 'To date',
            align: 'end',
            className: 'tnum text-right font-semibold',
            cell: ({ name, value }) => figureText(name, value),
          },
          ...(at === null
            ? []
            : [
                {
                  key: 'own',
                  header: `At ${at.text}`,
                  align: 'end' as const,
                  className: 'tnum text-right',
                  cell: ({ name, own }: Row) => figureText(name, own),
                },
                {
                  key: 'typical',
                  // on two lines, so that four columns fit beside the curve
                  header: (
                    <span className="grid">
                      <span>Median</span> <span>at {at.text}</span>
                    </span>
                  ),
                  align: 'end' as const,
                  className: 'tnum text-right text-ink-muted',
                  cell: ({ name, typical }: Row) => figureText(name, typical),
                },
              ]),
        ]}
      />
      <p className="text-sm text-pretty text-ink-muted">
        {!compares
          ? "Its platform's terms don't allow comparing its figures, so there are no medians, totals or rates."
          : curve.others !== null && curve.others >= 3 && at !== null
            ? `The median is of ${count(knownAt(curve, at.hours), 'other post')} of this channel and type that are known ${at.text} after they were published.`
            : 'There are too few other posts of this channel and type to compare with: three are needed.'}
      </p>
      {silent.length > 0 && readings.length > 0 ? (
        <p className="text-sm text-pretty text-ink-muted">
          Not reported for this post: {silent.map((name) => termOf(platform, 'post', name)).join(', ')}.
        </p>
      ) : null}
    </div>
  )
}

/** How many other posts are known at an age, of the figure with the most. */
function knownAt({ ages, figures }: PostInsights['curve'], hours: number): number {
  const i = ages.indexOf(hours)
  return Math.max(0, ...figures.map(({ known }) => known?.[i] ?? 0))
}

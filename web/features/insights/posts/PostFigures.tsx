import { figureText, postTermOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { isOfPosts, postColumns } from '#contract/analytics/postColumns.ts'
import { postAges } from '#contract/analytics/postAges.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { count } from '#web/lib/format.ts'
import { Table } from '#web/ui/Table.tsx'
import { Definition } from '../Definition.tsx'
import { whyMissing } from './PostTableLine.tsx'

type Row = { name: FigureKey; value: number | undefined; typical: number | null }

/** Every figure of the post that its platform reports, in the platform's words, beside what is usual at its age. */
export function PostFigures({ post }: { post: PostInsights }) {
  const { platformName: platform, figures, curve, compares, readings } = post
  const derived: readonly FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate']
  const rows = postColumns
    .filter((name) => figures?.[name] !== undefined || (isOfPosts(platform, name) && !derived.includes(name)))
    .map((name): Row => ({ name, value: figures?.[name], typical: typicalOf(post, name) }))
  const at = lastAge(post)
  return (
    <div className="grid gap-2">
      <Table
        label="Figures to date"
        slim
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'figure',
            header: 'Figure',
            cell: ({ name }) => (
              <span className="flex min-w-0 items-center gap-1">
                <span className="min-w-0 break-words">{postTermOf(platform, name)}</span>
                <Definition
                  base="postsPublished"
                  name={name}
                  title={postTermOf(platform, name)}
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
            cell: ({ name, value }) => (
              <span
                {...(value === undefined
                  ? {
                      title: whyMissing(
                        { readAt: readings.at(-1)?.readAt ?? null },
                        name,
                        platform,
                        compares ? [] : [platform],
                      ),
                    }
                  : {})}
              >
                {figureText(name, value)}
                {value === undefined ? <span className="sr-only"> not reported</span> : null}
              </span>
            ),
          },
          ...(compares && at !== null
            ? [
                {
                  key: 'typical',
                  header: `Median at ${at.text}`,
                  align: 'end' as const,
                  className: 'tnum text-right text-ink-muted',
                  cell: ({ name, typical }: Row) => figureText(name, typical),
                },
              ]
            : []),
        ]}
      />
      <p className="text-sm text-pretty text-ink-muted">
        {!compares
          ? "Its platform's terms don't allow comparing its figures, so there are no medians, totals or rates."
          : curve.others !== null && curve.others >= 3 && at !== null
            ? `The median is that of ${count(curve.others, 'other post')} of this channel and type, at the same age as this one's last comparable reading.`
            : 'There are too few other posts of this channel and type to compare with: three are needed.'}
      </p>
    </div>
  )
}

/** The last age at which the post and at least three others are known. */
function lastAge({ curve }: Pick<PostInsights, 'curve'>): (typeof postAges)[number] | null {
  const i = curve.ages.findLastIndex((_, age) =>
    curve.figures.some(({ values, medians }) => values[age] != null && medians?.[age] != null),
  )
  return postAges.find(({ hours }) => hours === curve.ages[i]) ?? null
}

function typicalOf({ curve }: Pick<PostInsights, 'curve'>, name: FigureKey): number | null {
  const at = lastAge({ curve })
  const i = at === null ? -1 : curve.ages.indexOf(at.hours)
  return curve.figures.find((one) => one.name === name)?.medians?.[i] ?? null
}

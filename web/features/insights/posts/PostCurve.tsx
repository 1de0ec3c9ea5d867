import { shownValue, termOf, unitOf } from '#contract/analytics/labels.ts'
import { postAges } from '#contract/analytics/postAges.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { viewNames, type FigureKey } from '#contract/analytics/names.ts'
import { count } from '#web/lib/format.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'

type Props = { post: PostInsights; chosen: FigureKey | undefined; onChoose: (name: FigureKey) => void }

/** One figure since the post was published, beside the median of other posts at the same ages. */
export function PostCurve({ post: { platformName: platform, curve }, chosen, onChoose }: Props) {
  // a platform reports views or impressions, which are the first figure already
  const [first] = curve.figures
  const figures = curve.figures.filter(
    ({ name }) => first?.name !== 'viewsAndImpressions' || !viewNames.some((one) => one === name),
  )
  const figure = figures.find(({ name }) => name === chosen) ?? first
  if (!figure)
    return <p className="text-ink-muted">The curve begins with the first reading, an hour after publishing.</p>
  const { name, values, medians } = figure
  const shown = (of: readonly (number | null)[]) => of.map((value) => shownValue(name, value))
  const title = termOf(platform, 'post', name)
  const others = curve.others ?? 0
  return (
    <div className="grid gap-2">
      <Field label="Figure" className="max-w-72">
        <Select
          value={name}
          onChange={(event) => {
            const next = figures.find((one) => one.name === event.target.value)
            if (next) onChoose(next.name)
          }}
          options={figures.map((one) => ({ value: one.name, label: termOf(platform, 'post', one.name) }))}
        />
      </Field>
      <ChartFigure
        label={`${title} since it was published`}
        shape="line"
        tall
        data={{
          axis: { kind: 'names', keys: curve.ages.map(ageText) },
          unit: unitOf(name).unit,
          adds: 'none',
          series: [
            { key: 'own', name: 'This post', values: shown(values) },
            ...(medians?.some((value) => value !== null)
              ? [
                  {
                    key: 'median',
                    name: 'Median of other posts',
                    values: shown(medians),
                    comparedWith: 'own',
                  },
                ]
              : []),
          ],
        }}
      />
      <p className="text-sm text-pretty text-ink-muted">
        {others > 0 && medians?.some((value) => value !== null)
          ? `At each age, the median is of those of ${count(others, 'other post')} of this channel and type that are known at it, if they're at least half. `
          : ''}
        Between two readings, the curve shows what lies between them. Where they're too far apart, there's a gap.
      </p>
    </div>
  )
}

const ageText = (hours: number): string => postAges.find((one) => one.hours === hours)?.text ?? `${hours} hours`

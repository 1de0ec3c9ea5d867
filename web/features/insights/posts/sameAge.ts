import type { FigureKey } from '#contract/analytics/names.ts'
import { postAges } from '#contract/analytics/postAges.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'

/* A post beside others: its figures to date are those of its age, so both sides are taken at the same one. */

type Curve = Pick<PostInsights['curve'], 'ages'> & {
  figures: readonly Pick<PostInsights['curve']['figures'][number], 'name' | 'values' | 'medians'>[]
}
type Age = (typeof postAges)[number]

/** The last age at which a figure of the post and its median of others are known. */
export function lastAge({ ages, figures }: Curve): Age | null {
  const i = ages.findLastIndex((_, age) =>
    figures.some(({ values, medians }) => values[age] != null && medians?.[age] != null),
  )
  return postAges.find(({ hours }) => hours === ages[i]) ?? null
}

/** A figure of the post at an age, and the median of others at the same one. */
export function atAge(
  { ages, figures }: Curve,
  name: FigureKey,
  age: Age | null,
): { own: number | null; typical: number | null } {
  const i = age === null ? -1 : ages.indexOf(age.hours)
  const figure = figures.find((one) => one.name === name)
  return { own: figure?.values[i] ?? null, typical: figure?.medians?.[i] ?? null }
}

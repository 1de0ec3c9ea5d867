import { sql } from 'kysely'
import { addsOf, unitOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { postAges, valueAtAge, type Point } from '#contract/analytics/postAges.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { partsOf } from '#contract/analytics/sources.ts'
import type { ProjectRequest } from '../http/route.ts'
import { isFigure } from './postTable.ts'

/** A post is compared with this many others at most, those published nearest to it. */
const MOST_OTHERS = 50
/** And published at most this far from it. */
const YEAR_MS = 365 * 86_400_000
/** Fewer have no median. */
const FEWEST = 3
/** How long stories are shown: nobody reads them afterwards (server/insights/readingPlan.ts). */
const STORY_HOURS = 24

type Figures = Partial<Record<FigureKey, number>>
export type CurveReading = { hours: number; figures: Figures; afterGap: boolean }
type Curve = NonNullable<PostInsights['curve']>
/** What the curves of a post are worked out from. */
type Measured = { id: string; channel_id: string; post_type: string; shown_at: Date }

/**
 * A post's figures at the ages that it has reached, beside the median of other posts of its channel and type at the same ages. Without
 * `compares` (the terms of its platform), only the figures that the platform itself reports, and no medians.
 */
export async function readCurve(
  c: ProjectRequest,
  post: Measured,
  own: readonly CurveReading[],
  { compares }: { compares: boolean },
): Promise<Curve> {
  const others = compares ? await readOthers(c, post) : []
  const reached = (c.now.getTime() - post.shown_at.getTime()) / 3_600_000
  return curveOf(own, others, {
    reached: post.post_type === 'story' ? Math.min(STORY_HOURS, reached) : reached,
    compares,
  })
}

/** The same from readings. */
export function curveOf(
  own: readonly CurveReading[],
  others: readonly (readonly CurveReading[])[],
  { reached, compares }: { reached: number; compares: boolean },
): Curve {
  const ages = postAges.map(({ hours }) => hours).filter((hours) => hours <= reached)
  const derived: FigureKey[] = compares ? ['viewsAndImpressions', 'engagements', 'engagementRate'] : []
  const reported = new Set(own.flatMap(({ figures }) => Object.keys(figures).filter(isFigure)))
  const figures = [...derived, ...reported].flatMap((name): Curve['figures'] => {
    // averages don't grow over a post's life
    if (name !== 'engagementRate' && addsOf(name) !== 'sum' && unitOf(name).unit !== 'count') return []
    const values = valuesAt(ages, own, name)
    if (values.every((value) => value === null)) return []
    if (!compares) return [{ name, values, medians: null, known: null }]
    const columns = others.map((one) => valuesAt(ages, one, name))
    const atAge = ages.map((_, i) => columns.flatMap((one) => one[i] ?? []))
    const enough = Math.max(FEWEST, others.length / 2)
    return [
      {
        name,
        values,
        medians: atAge.map((one) => (one.length < enough ? null : medianOf(one))),
        known: atAge.map((one) => one.length),
      },
    ]
  })
  return { ages, figures, others: compares ? others.length : null }
}

function valuesAt(ages: readonly number[], readings: readonly CurveReading[], name: FigureKey): (number | null)[] {
  if (name === 'engagementRate') return ratesAt(ages, readings)
  const points = pointsOf(readings, name)
  return ages.map((age) => valueAtAge(points, age))
}

/** A post's rate at each age, in percent with two decimals, where both of its sides are known. */
function ratesAt(ages: readonly number[], readings: readonly CurveReading[]): (number | null)[] {
  const whole = valuesAt(ages, readings, 'viewsAndImpressions')
  return valuesAt(ages, readings, 'engagements').map((part, i) => {
    const of = whole[i] ?? 0
    return part === null || of === 0 ? null : Math.round((part / of) * 10_000) / 100
  })
}

/** A figure's readings, from 0 at publishing unless nobody knows what it had before the first one. */
function pointsOf(readings: readonly CurveReading[], name: FigureKey): Point[] {
  const points = readings.flatMap(({ hours, figures }) => {
    const values = valuesOf(name).flatMap((part) => figures[part] ?? [])
    return values.length > 0 ? [{ hours, value: values.reduce((sum, value) => sum + value, 0) }] : []
  })
  return points.length > 0 && readings[0]?.afterGap === false ? [{ hours: 0, value: 0 }, ...points] : points
}

const valuesOf = (name: FigureKey): readonly FigureKey[] => partsOf(name)

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return (low + high) / 2
}

/** The readings of the posts of the same channel and type that were published nearest to it, each oldest first. */
async function readOthers({ tx, org, project }: ProjectRequest, post: Measured): Promise<CurveReading[][]> {
  const { shown_at: at } = post
  const side = (isBefore: boolean) => sql`
    (select f.post_id, f.shown_at from post_figure f join measured_post m on m.org_id = f.org_id and m.id = f.post_id
    where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and f.channel_id = ${post.channel_id} and m.post_type = ${post.post_type} and f.post_id <> ${post.id}
      and ${isBefore ? sql`f.shown_at <= ${at} and f.shown_at > ${new Date(at.getTime() - YEAR_MS)}` : sql`f.shown_at > ${at} and f.shown_at < ${new Date(at.getTime() + YEAR_MS)}`}
    order by f.shown_at ${isBefore ? sql`desc` : sql`asc`}, f.post_id limit ${MOST_OTHERS})`
  const { rows } = await sql<{ post_id: string; hours: number; figures: Record<string, unknown>; after_gap: boolean }>`
    with other as (
      select * from (${side(true)} union all ${side(false)}) near order by abs(extract(epoch from shown_at - ${at})), post_id limit ${MOST_OTHERS})
    select o.post_id, (extract(epoch from r.read_at - o.shown_at) / 3600)::float8 as hours, r.figures, r.after_gap
    from other o join post_metric r on r.org_id = ${org.orgId} and r.post_id = o.post_id order by o.post_id, r.read_at`.execute(
    tx,
  )
  return [...Map.groupBy(rows, ({ post_id }) => post_id).values()].map((readings) =>
    readings.map(({ hours, figures, after_gap: afterGap }) => ({ hours, afterGap, figures: knownFigures(figures) })),
  )
}

/** The stored figures that the catalog has. */
export const knownFigures = (stored: Readonly<Record<string, unknown>>): Figures =>
  Object.fromEntries(Object.entries(stored).filter(([name, value]) => isFigure(name) && typeof value === 'number'))

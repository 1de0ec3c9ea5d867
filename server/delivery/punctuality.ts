import type pg from 'pg'

const HOUR = 3_600_000
const BUCKETS = 32

const ADD = `
  insert into punctuality as p (hour, platform, posts, buckets)
  select h.hour, h.platform, h.posts, h.buckets::int[] from unnest($1::timestamptz[], $2::text[], $3::int[], $4::text[]) as h(hour, platform, posts, buckets)
  order by h.hour, h.platform
  on conflict (hour, platform) do update set
    posts = p.posts + excluded.posts,
    buckets = (select array_agg(a.n + b.n order by a.i) from unnest(p.buckets) with ordinality as a(n, i) join unnest(excluded.buckets) with ordinality as b(n, i) on b.i = a.i)`

/** Collects how late first calls were, by hour and platform, and writes it periodically: a metric, not a journal. */
export class Punctuality {
  readonly #hours = new Map<string, { hour: Date; platform: string; buckets: number[] }>()

  add(platform: string, lag: number, now: Date): void {
    const hour = new Date(Math.floor(now.getTime() / HOUR) * HOUR)
    const key = `${hour.getTime()} ${platform}`
    let known = this.#hours.get(key)
    if (!known) this.#hours.set(key, (known = { hour, platform, buckets: Array.from({ length: BUCKETS }, () => 0) }))
    const bucket = bucketOf(lag)
    known.buckets[bucket] = (known.buckets[bucket] ?? 0) + 1
  }

  async write(pool: pg.Pool): Promise<void> {
    const rows = [...this.#hours.values()]
    if (rows.length === 0) return
    this.#hours.clear()
    const posts = rows.map(({ buckets }) => buckets.reduce((sum, count) => sum + count, 0))
    await pool.query(ADD, [
      rows.map((row) => row.hour),
      rows.map((row) => row.platform),
      posts,
      rows.map(({ buckets }) => `{${buckets.join(',')}}`),
    ])
  }
}

/** Bucket n counts lags under 2^n milliseconds. */
export function bucketOf(lag: number): number {
  return Math.min(BUCKETS - 1, lag < 1 ? 0 : Math.floor(Math.log2(lag)) + 1)
}

/** The milliseconds within which this share (0 to 1) of the posts was sent, rounded up to a power of two. Null without posts. */
export function quantile(buckets: readonly number[], part: number): number | null {
  const all = buckets.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let seen = 0
  for (const [i, count] of buckets.entries()) {
    seen += count
    if (seen >= all * part) return 2 ** i
  }
  return 2 ** BUCKETS
}

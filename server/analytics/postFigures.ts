import { sql, type RawBuilder } from 'kysely'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { Reader, Scope } from './scope.ts'

/**
 * A figure of each post of the scope that has it, as rows `f`, and what is `joined` to them. Chosen posts are looked up one by one,
 * whatever the planner expects.
 */
export function figuresOf(
  { org, project }: Reader,
  scope: Pick<Scope, 'channels' | 'posts' | 'range'>,
  name: FigureKey,
  joined: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const from = scope.posts
    ? sql`(${scope.posts}) chosen(id) cross join lateral (select * from post_figure where org_id = ${org.orgId} and post_id = chosen.id and name = ${name} offset 0) f`
    : sql`post_figure f`
  return sql`
    from ${from} ${joined}
    where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = ${name} and f.channel_id = any(${scope.channels.map(({ channelId }) => channelId)}::uuid[])
      and ${publishedIn(scope.range, project.zone, sql`f.shown_at`)}`
}

/** Days of the project, and the value that a query calls them by. */
export type Span = { from: string; to: string; is: RawBuilder<unknown> }

/**
 * The rows `published` of the project's posts that were published in each of these spans, with the span's value as `span`. A post that
 * is in two spans is there twice.
 */
export const publishedPosts = (
  { org, project }: Pick<Reader, 'org' | 'project'>,
  spans: readonly Span[],
): RawBuilder<unknown> =>
  sql`(${sql.join(
    spans.map(
      (span) => sql`
      select ${span.is} as span, f.* from post_figure f
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and ${publishedIn(span, project.zone, sql`f.shown_at`)}`,
    ),
    sql` union all `,
  )})`

/** Whether an instant is in these days of the zone. */
export const publishedIn = (
  { from, to }: { from: string; to: string },
  zone: string,
  instant: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`(${instant} >= day_begins(${from}::date, ${zone}) and ${instant} < day_begins(${to}::date + 1, ${zone}))`

/**
 * For queries of the rows `published` of posts `f`: `record` gives each of these figures a column of its own, and `sums` adds them up
 * as an object by name, in which a figure that no post has is null.
 */
export function columnsOf(names: readonly string[]): { record: RawBuilder<unknown>; sums: RawBuilder<unknown> } {
  if (names.length === 0) return { record: sql`(select) r`, sums: sql`'{}'::json` }
  const columns = names.map((name) => sql.id(name))
  return {
    record: sql`jsonb_to_record(f.figures) r(${sql.join(columns.map((column) => sql`${column} bigint`))})`,
    sums: sql`json_build_object(${sql.join(names.flatMap((name) => [sql.lit(name), sql`sum(r.${sql.id(name)})`]))})`,
  }
}

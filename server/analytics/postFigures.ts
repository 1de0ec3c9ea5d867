import { sql, type RawBuilder } from 'kysely'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { Reader, Scope } from './scope.ts'

/** A figure of each post of the scope that has it, as rows `f`. */
export function figuresOf(
  { org, project }: Reader,
  scope: Pick<Scope, 'channels' | 'posts' | 'range' | 'projectIds'>,
  name: FigureKey,
): RawBuilder<unknown> {
  return sql`
    from post_figure f
    where f.org_id = ${org.orgId} and f.project_id = any(${scope.projectIds}::uuid[]) and f.name = ${name} and f.channel_id = any(${scope.channels.map(({ channelId }) => channelId)}::uuid[])
      and ${publishedIn(scope.range, project.zone, sql`f.shown_at`)} ${scope.posts ? sql`and exists (select from measured_post p where p.org_id = f.org_id and p.id = f.post_id and ${scope.posts})` : sql``}`
}

/** Whether an instant is in these days of the zone. */
export const publishedIn = (
  { from, to }: { from: string; to: string },
  zone: string,
  instant: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`(${instant} >= (${from}::date)::timestamp at time zone ${zone} and ${instant} < (${to}::date + 1)::timestamp at time zone ${zone})`

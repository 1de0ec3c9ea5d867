import { clsx } from 'clsx'
import type { AuditRow } from '#contract/audit.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { inWords } from './words.ts'

/** Entries as sentences: who, what, on which thing, and when, in the project's zone. */
export function AuditList({ entries, zone }: { entries: readonly AuditRow[]; zone: string }) {
  return (
    <ol aria-label="Audit Logs" className="grid overflow-hidden rounded-lg border border-line bg-surface">
      {entries.map((entry) => (
        <Entry key={entry.auditId} entry={entry} zone={zone} />
      ))}
    </ol>
  )
}

function Entry({ entry, zone }: { entry: AuditRow; zone: string }) {
  const { user, action, entityType, entityName, targetValue, projectName, timestamp } = entry
  const name = user === null ? 'Rookery' : `${user.firstName} ${user.lastName}`.trim() || 'Deleted account'
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover md:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Avatar
        name={name}
        src={user?.profileUrl}
        size={30}
        square={user === null}
        className="mt-0.5 max-md:row-span-2"
      />
      <div className="min-w-0">
        <p className="text-pretty wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi>{' '}
          <span className="text-ink-muted">{action.replaceAll('_', ' ').toLowerCase()}</span>
          <span className="text-ink-muted"> {inWords(entityType)}</span>
          {entityName === null ? null : (
            <>
              {' '}
              <bdi className="line-clamp-2 inline font-medium">{entityName}</bdi>
            </>
          )}
        </p>
        <p
          className={clsx(
            'text-sm wrap-anywhere text-ink-muted',
            targetValue === null && (projectName === null || entityType === 'project') ? 'hidden' : '',
          )}
        >
          {targetValue === null ? null : <bdi>{targetValue}</bdi>}
          {projectName === null || entityType === 'project' ? null : (
            <>
              {targetValue === null ? '' : ' · '}
              <bdi>{projectName}</bdi>
            </>
          )}
        </p>
      </div>
      <time dateTime={timestamp} className="tnum text-sm whitespace-nowrap text-ink-muted max-md:col-start-2 md:mt-0.5">
        {timeOf(timestamp, zone)}, {dateOf(timestamp, zone)}
      </time>
    </li>
  )
}

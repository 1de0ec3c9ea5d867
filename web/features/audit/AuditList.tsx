import type { AuditRow } from '#contract/audit.ts'
import { actorName, deedWords } from '#contract/auditWords.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'

/** Entries as sentences: who, what, to what, and when, in the project's zone. */
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
  const { user, entityType, targetValue, changes, timestamp } = entry
  const name = actorName(entry)
  const deed = deedWords(entry)
  const about = [targetValue, entityType === 'project' ? null : entry.projectName].filter((one) => one !== null)
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
        <p dir="auto" className="text-pretty wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi> <span className="text-ink-muted">{deed.phrase}</span>
          {deed.name === null ? null : (
            <>
              {' '}
              <bdi dir="auto" className="line-clamp-2 inline font-medium">
                {deed.name}
              </bdi>
            </>
          )}
        </p>
        {about.length === 0 ? null : (
          <p dir="auto" className="text-sm wrap-anywhere text-ink-muted">
            {about.map((text, i) => (
              <span key={text}>
                {i === 0 ? '' : ' · '}
                <bdi>{text}</bdi>
              </span>
            ))}
          </p>
        )}
        {changes.length === 0 ? null : (
          <ul aria-label="Changes" className="mt-0.5 grid gap-0.5 text-sm">
            {changes.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </ul>
        )}
      </div>
      <time dateTime={timestamp} className="tnum text-sm whitespace-nowrap text-ink-muted max-md:col-start-2 md:mt-0.5">
        {timeOf(timestamp, zone)}, {dateOf(timestamp, zone)}
      </time>
    </li>
  )
}

/** "Add-ons: 1 → 0", read aloud as "Add-ons: from 1 to 0". */
function Change({ field, before, after }: AuditRow['changes'][number]) {
  return (
    <li dir="auto" className="wrap-anywhere">
      {field === null ? null : <span className="text-ink-muted">{field}: </span>}
      {before === null ? null : (
        <>
          <span className="sr-only">from </span>
          <bdi className="text-ink-muted">{before}</bdi>
          <span className="sr-only"> to </span>
          <span aria-hidden className="text-ink-muted">
            {' → '}
          </span>
        </>
      )}
      <bdi>{after ?? 'none'}</bdi>
    </li>
  )
}

import History from 'lucide-react/icons/history'
import { FIRST_PAGE } from '#contract/constants.ts'
import { auditFilters, exportAudit, listAudit } from '#contract/audit.ts'
import { addressOf } from '#web/lib/client.ts'
import { count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { AuditFilterBar } from './AuditFilterBar.tsx'
import { AuditList } from './AuditList.tsx'
import { isNarrowed, queryOf, type AuditSearch } from './search.ts'

type Props = {
  orgId: string
  zone: string
  page: number
  onPage: (page: number) => void
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
}

/** Who did what in the organization, newest first, with filters in the URL. */
export function AuditTab({ orgId, zone, page, onPage, search, onSearch }: Props) {
  const filters = queryOf(search, zone)
  const entries = useCall(
    listAudit,
    { params: { orgId }, query: { page, ...filters } },
    { keepPrevious: true, handles: true, staleTime: 0 },
  )
  const known = useCall(auditFilters, { params: { orgId } }, { handles: true, staleTime: 60_000 })
  const now = useNow()
  const narrowed = isNarrowed(search)
  const clear = <Button onClick={() => onSearch({})}>Clear filters</Button>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AuditFilterBar known={known.data} search={search} onSearch={onSearch} />
      <Loaded
        query={entries}
        isEmpty={({ audits }) => audits.length === 0}
        empty={
          page > FIRST_PAGE ? (
            <EmptyState
              title="No entries on this page"
              action={<Button onClick={() => onPage(FIRST_PAGE)}>First page</Button>}
            />
          ) : narrowed ? (
            <EmptyState icon={<History size={20} />} title="No entries match" action={clear}>
              No activity matches these filters.
            </EmptyState>
          ) : (
            <EmptyState icon={<History size={20} />} title="No audits logs found">
              Start exploring
            </EmptyState>
          )
        }
      >
        {({ audits, pagination }) => (
          <>
            <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
              <p className="tnum flex flex-wrap items-baseline gap-x-3 text-ink-muted">
                {count(pagination.totalCount, 'entry', 'entries')} <ZoneNote zone={zone} at={now} />
              </p>
              <a
                href={addressOf(exportAudit, { params: { orgId }, query: filters })}
                download
                className={buttonClass({ size: 's' })}
              >
                Export CSV
              </a>
            </div>
            <AuditList entries={audits} zone={zone} />
            <Pagination
              page={pagination.currentPage}
              totalPages={pagination.totalPages}
              onPage={onPage}
              loading={entries.isPlaceholderData}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}

import { beginExport, downloadExport, listExports, type OrgExport } from '#contract/dataRights.ts'
import { addressOf } from '#web/lib/client.ts'
import { bytes, dateOf, timeOf } from '#web/lib/format.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'

/** How often to check whether the copy is ready, in milliseconds. */
const LOOK_AGAIN = 2000
const isBeingMade = ({ status }: OrgExport) => status === 'waiting' || status === 'running'

/** A copy of everything that the organization has here: requested, created in the background, kept for 7 days. */
export function ExportSection({ orgId, zone }: { orgId: string; zone: string }) {
  const known = useCall(listExports, { params: { orgId } }, { handles: true, staleTime: 0 })
  const making = known.data?.exports.some(isBeingMade) ?? false
  // the same call, repeated while a copy is being created
  useCall(
    listExports,
    { params: { orgId } },
    { handles: true, staleTime: 0, enabled: making, refetchInterval: making ? LOOK_AGAIN : false },
  )
  const begin = useSend(beginExport, {
    onSuccess: () => toast.success("We're preparing your copy"),
  })
  return (
    <section aria-labelledby="export-organization" className="grid justify-items-start gap-3 border-t border-line pt-5">
      <div className="grid gap-1">
        <h2 id="export-organization" className="font-bold">
          Export
        </h2>
        <p className="text-pretty text-ink-muted">
          Get a copy of everything in one ZIP: all data as JSON and CSV, plus every file. We keep it for 7 days. It
          doesn't include passwords or sign-ins.
        </p>
      </div>
      <Button loading={begin.isPending} disabled={making} onClick={() => begin.mutate({ params: { orgId }, body: {} })}>
        Export everything
      </Button>
      <Loaded query={known} skeleton={<SkeletonLines lines={1} />}>
        {({ exports }) =>
          exports.length === 0 ? null : (
            <ul aria-label="Copies" className="grid w-full overflow-hidden rounded-lg border border-line bg-surface">
              {exports.map((one) => (
                <Copy key={one.exportId} orgId={orgId} copy={one} zone={zone} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function Copy({ orgId, copy, zone }: { orgId: string; copy: OrgExport; zone: string }) {
  const { exportId, status, progress, requestedAt, expiresAt, problem } = copy
  const asked = `${dateOf(requestedAt, zone)}, ${timeOf(requestedAt, zone)}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-3 py-2.5 not-last:border-b">
      {isBeingMade(copy) ? (
        <div className="w-full">
          <Progress
            label={status === 'waiting' ? 'Waiting to start' : 'Preparing your copy'}
            value={progress}
            note={`${progress}%`}
          />
        </div>
      ) : (
        <div className="grid min-w-0">
          <span className="tnum font-medium">
            {asked} <ZoneNote zone={zone} at={new Date(requestedAt)} className="font-normal" />
          </span>
          <span className="tnum text-sm text-ink-muted">
            {status === 'ready'
              ? `${copy.bytes === null ? '' : `${bytes(copy.bytes)} · `}until ${expiresAt === null ? '' : dateOf(expiresAt, zone)}`
              : status === 'gone'
                ? 'Expired'
                : (problem ?? "We couldn't prepare this copy")}
          </span>
        </div>
      )}
      {status === 'ready' ? (
        <a
          href={addressOf(downloadExport, { params: { orgId, exportId } })}
          download
          aria-label={`Download the copy from ${asked}`}
          className={buttonClass({ size: 's' })}
        >
          Download
        </a>
      ) : null}
    </li>
  )
}

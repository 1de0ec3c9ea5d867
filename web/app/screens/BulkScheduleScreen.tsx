import { getRouteApi } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import { getBulk, listBulk } from '#contract/bulk.ts'
import { allChannels } from '#contract/channels.ts'
import { plan } from '#contract/organizations.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { BulkDetail } from '#web/features/bulk/BulkDetail.tsx'
import { BulkImports } from '#web/features/bulk/BulkImports.tsx'
import { BulkStart } from '#web/features/bulk/BulkStart.tsx'
import { PostTabs } from '#web/features/posts/PostTabs.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { DeniedState, EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/posts/$tab')

/** How often a running import is reloaded without live events, in milliseconds. */
const LOOK = 3_000

/** Many posts from one file: check, correct, confirm, undo. */
export default function BulkScheduleScreen() {
  const may = useMay([['post', 'create']])
  const { import: importId } = route.useSearch()
  return (
    <Page title="Bulk Schedule">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <PostTabs />
        {may === 'no' ? <DeniedState /> : null}
        {may === 'yes' ? importId === undefined ? <Overview /> : <OneImport importId={importId} /> : null}
      </div>
    </Page>
  )
}

function Overview() {
  const ids = useProjectIds()
  const navigate = route.useNavigate()
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const imports = useCall(listBulk, { params: ids }, { handles: true })
  const open = (importId: string) => void navigate({ search: (before) => ({ ...before, import: importId }) })
  return (
    <Loaded
      query={channels}
      isEmpty={(reply) => reply.channels.length === 0}
      empty={
        <EmptyState
          icon={<FileSpreadsheet size={20} />}
          title="Connect a channel first"
          action={
            <ButtonLink to="/$orgId/project/$projectId/channels" params={ids}>
              Channels
            </ButtonLink>
          }
        >
          Each row names the channel its post is for.
        </EmptyState>
      }
    >
      {(reply) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <BulkStart handle={reply.channels[0]?.handle ?? ''} onChecked={open} />
          <section aria-labelledby="bulk-imports" className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h2 id="bulk-imports" className="font-bold">
              Imports
            </h2>
            <Loaded
              query={imports}
              isEmpty={(list) => list.imports.length === 0}
              empty={<p className="text-ink-muted">Files you check appear here with the status of each row.</p>}
            >
              {(list) => <BulkImports imports={list.imports} onOpen={open} />}
            </Loaded>
          </section>
        </div>
      )}
    </Loaded>
  )
}

function OneImport({ importId }: { importId: string }) {
  const ids = useProjectIds()
  const navigate = route.useNavigate()
  const back = () => void navigate({ search: (before) => ({ ...before, import: undefined }) })
  const input = { params: { ...ids, importId } }
  // errors depend on the time: what was checked a while ago is checked again
  const found = useCall(getBulk, input, { staleTime: 0, handles: ['NOT_FOUND'] })
  const working = found.data?.state === 'scheduling' || found.data?.state === 'undoing'
  useCall(getBulk, input, { staleTime: 0, handles: ['NOT_FOUND'], enabled: working, refetchInterval: LOOK })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const gates = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const mayAsk = useMay([['workflow', 'view']]) === 'yes' && gates.data?.closed.includes('approval_workflows') === false
  const workflows = useCall(listWorkflows, { params: ids }, { handles: true, enabled: mayAsk })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Button
        tone="quiet"
        size="s"
        className="justify-self-start"
        icon={<ArrowLeft size={14} aria-hidden />}
        onClick={back}
      >
        All imports
      </Button>
      <Loaded query={found}>
        {(detail) => (
          <BulkDetail
            key={importId}
            found={detail}
            channels={channels.data?.channels ?? []}
            workflows={mayAsk ? (workflows.data?.workflows ?? []) : []}
            onGone={back}
          />
        )}
      </Loaded>
    </div>
  )
}

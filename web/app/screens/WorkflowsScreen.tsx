import { getRouteApi } from '@tanstack/react-router'
import ListChecks from 'lucide-react/icons/list-checks'
import Plus from 'lucide-react/icons/plus'
import { plan } from '#contract/organizations.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { WorkflowDialog } from '#web/features/workflows/WorkflowDialog.tsx'
import { WorkflowTable } from '#web/features/workflows/WorkflowTable.tsx'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/workflows')

/** Who approves posts before they're published. */
export default function WorkflowsScreen() {
  const ids = useProjectIds()
  const { workflow: open } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (workflow?: string) => void navigate({ search: (before) => ({ ...before, workflow }), replace: true })
  const query = useCall(listWorkflows, { params: ids }, { handles: true })
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const may = {
    create: useMay([['workflow', 'create']]) === 'yes',
    edit: useMay([['workflow', 'edit']]) === 'yes',
    remove: useMay([['workflow', 'delete']]) === 'yes',
  }
  const closed = facts.data?.closed.includes('approval_workflows') ?? false
  const seePlans = () => upgrade.open({ gate: 'approval_workflows' })
  const shown = query.data?.workflows.find(({ workflowId }) => workflowId === open)
  const button =
    may.create && query.data ? (
      <Button icon={<Plus size={15} aria-hidden />} onClick={() => (closed ? seePlans() : go('new'))}>
        Create workflow
      </Button>
    ) : null
  return (
    <Page
      title="Workflows"
      controls={<span className="max-md:hidden">{button}</span>}
      bar={
        <div className="flex grow flex-wrap items-center justify-between gap-3">
          <p className="text-ink-muted">Decide who approves posts before they're published, step by step.</p>
          <span className="empty:hidden md:hidden">{button}</span>
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {closed ? (
          <Banner
            tone="info"
            title={gateWords.approval_workflows.title}
            actions={
              <Button size="s" onClick={seePlans}>
                See plans
              </Button>
            }
          >
            {gateWords.approval_workflows.text} Waiting posts can still be approved or rejected.
          </Banner>
        ) : null}
        <Loaded
          query={query}
          isEmpty={({ workflows }) => workflows.length === 0}
          empty={
            <EmptyState icon={<ListChecks size={20} />} title="No workflows yet">
              A workflow sets who approves a post before it's published.
            </EmptyState>
          }
        >
          {({ workflows }) => <WorkflowTable workflows={workflows} may={may} closed={closed} onEdit={go} />}
        </Loaded>
      </div>
      {open === 'new' && may.create && !closed ? <WorkflowDialog onClose={() => go()} /> : null}
      {shown && may.edit && !closed ? (
        <WorkflowDialog key={shown.workflowId} workflow={shown} onClose={() => go()} />
      ) : null}
    </Page>
  )
}

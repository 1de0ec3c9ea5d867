import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { deleteWorkflow, type Workflow } from '#contract/workflows.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toast.ts'
import { goneWords, stepsInWords } from './editing.ts'

type Props = {
  workflows: readonly Workflow[]
  may: { edit: boolean; remove: boolean }
  /** Why it can't be changed, if it isn't because of the role. */ closed: boolean
  onEdit: (workflowId: string) => void
}
const NOT_ALLOWED = "Your role doesn't allow this."

/** The workflows of the project: who approves in each, and how many posts wait. */
export function WorkflowTable({ workflows, may, closed, onEdit }: Props) {
  const [deleting, setDeleting] = useState<string>()
  const asked = workflows.find(({ workflowId }) => workflowId === deleting)
  const whyNotEdit = may.edit ? (closed ? "Your plan doesn't include approval workflows." : undefined) : NOT_ALLOWED
  const columns: readonly Column<Workflow>[] = [
    {
      key: 'name',
      header: 'Name',
      className: 'rows:w-60',
      cell: ({ workflowId, name, isDefault }) => (
        <span className="flex min-w-0 items-center gap-2">
          {whyNotEdit === undefined ? (
            <button
              type="button"
              onClick={() => onEdit(workflowId)}
              className="hit-area truncate rounded-sm font-semibold hover:underline"
            >
              {name}
            </button>
          ) : (
            <span dir="auto" className="truncate font-semibold">
              {name}
            </span>
          )}
          {isDefault ? <Badge>Default</Badge> : null}
        </span>
      ),
    },
    {
      key: 'steps',
      header: 'Approved by',
      cell: ({ steps }) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 text-ink-muted">{stepsInWords(steps)}</span>
          {steps.flatMap(({ approvers }, i) =>
            approvers
              .filter(({ gone }) => gone)
              .map(({ id, kind, name }) => (
                <Badge key={`${i} ${id}`} tone="wait">{`${name} ${goneWords(kind)}`}</Badge>
              )),
          )}
        </span>
      ),
    },
    {
      key: 'waiting',
      header: 'Waiting',
      className: 'rows:w-28',
      cell: ({ waiting }) => <span className="tnum whitespace-nowrap">{count(waiting, 'post')}</span>,
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: ({ workflowId, name, isDefault }) => {
        const whyNotDelete = isDefault ? 'Every project needs this workflow.' : may.remove ? undefined : NOT_ALLOWED
        return (
          <Menu
            align="end"
            label={`Actions for ${name}`}
            trigger={<IconButton label={`Actions for ${name}`} icon={<Ellipsis size={16} />} />}
          >
            <MenuItem icon={<Pencil size={15} />} why={whyNotEdit} onSelect={() => onEdit(workflowId)}>
              Edit
            </MenuItem>
            <MenuItem danger icon={<Trash size={15} />} why={whyNotDelete} onSelect={() => setDeleting(workflowId)}>
              Delete
            </MenuItem>
          </Menu>
        )
      },
    },
  ]
  return (
    <>
      <Table label="Workflows" columns={columns} rows={workflows} rowKey={({ workflowId }) => workflowId} />
      {asked ? <DeleteWorkflow workflow={asked} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

function DeleteWorkflow({
  workflow: { workflowId, name, waiting },
  onClose,
}: {
  workflow: Workflow
  onClose: () => void
}) {
  const ids = useProjectIds()
  const remove = useSend(deleteWorkflow, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Workflow deleted')
      onClose()
    },
    onError: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action="Delete workflow"
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ params: { ...ids, workflowId } })}
    >
      {waiting > 0
        ? `${count(waiting, 'post is', 'posts are')} waiting in this workflow. You can still approve or reject them, but you can't send new posts through it.`
        : "No posts are waiting in it. You can't send new posts through it."}
    </ConfirmDialog>
  )
}

import { useState } from 'react'
import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Tag from 'lucide-react/icons/tag'
import Trash from 'lucide-react/icons/trash-2'
import { deleteLabel, editLabel, listLabels, type Label } from '#contract/labels.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { labelLook } from '#web/ui/labelLook.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { LabelForm } from './LabelForm.tsx'

const states = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'ARCHIVED', label: 'Archived' },
] as const
/** The labels of the project: create, rename, recolor, archive with undo, delete. */
export default function LabelsDialog({ onClose }: { onClose: () => void }) {
  const ids = useProjectIds()
  const [state, setState] = useState<Label['state']>('ACTIVE')
  const [form, setForm] = useState<Label | 'new'>()
  const [asked, setAsked] = useState<string>()
  const labels = useCall(listLabels, { params: ids, query: { state } }, { keepPrevious: true, handles: true })
  // by ID, so that the question stays current when the list changes
  const deleting = labels.data?.labels.find(({ labelId }) => labelId === asked)
  const may = {
    create: useMay([['label', 'create']]) === 'yes',
    edit: useMay([['label', 'edit']]) === 'yes',
    remove: useMay([['label', 'delete']]) === 'yes',
  }
  const change = useSend(editLabel)
  const remove = useSend(deleteLabel, {
    onSuccess: ({ message }) => toast.success(message ?? 'Label deleted successfully'),
    onSettled: () => setAsked(undefined),
  })
  const put = (label: Label, next: Label['state']) =>
    change.mutate(
      { params: { ...ids, labelId: label.labelId }, body: { state: next } },
      {
        onSuccess: ({ message }) => {
          const words = message ?? 'Label updated successfully'
          const back = () => change.mutate({ params: { ...ids, labelId: label.labelId }, body: { state: label.state } })
          toast.undo(words, back, { id: `label-${label.labelId}` })
        },
      },
    )
  if (form) {
    return (
      <Dialog open onOpenChange={onClose} title={form === 'new' ? 'Create label' : 'Edit label'}>
        <LabelForm ids={ids} label={form === 'new' ? undefined : form} onDone={() => setForm(undefined)} />
      </Dialog>
    )
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        title="Labels"
        description="Archived labels stay on their posts but can't be added to new ones."
      >
        <div className="grid gap-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Segmented label="Which labels" options={states} value={state} onChange={setState} />
            {may.create ? (
              <Button size="s" icon={<Plus size={14} aria-hidden />} onClick={() => setForm('new')}>
                Create label
              </Button>
            ) : null}
          </div>
          <Loaded
            query={labels}
            isEmpty={(reply) => reply.labels.length === 0}
            empty={
              <EmptyState
                className="py-6!"
                icon={<Tag size={20} />}
                title={state === 'ACTIVE' ? 'No labels yet' : 'Nothing archived'}
              >
                {state === 'ACTIVE' ? 'A label groups posts across channels, such as a product or a theme.' : null}
              </EmptyState>
            }
          >
            {(reply) => (
              <ul aria-label="Labels" className="divide-y divide-line rounded-lg border border-line bg-surface">
                {reply.labels.map((label) => (
                  <li key={label.labelId} className="flex min-h-11 items-center gap-2.5 pr-1.5 pl-3">
                    <LabelDot color={label.color} />
                    <span className="min-w-0 grow">
                      <span dir="auto" className="block truncate font-medium">
                        {label.labelName}
                      </span>
                      <span className="tnum block text-sm text-ink-muted">{`${labelLook[label.color].name}, ${label.posts === 0 ? 'on no posts' : `on ${count(label.posts, 'post')}`}`}</span>
                    </span>
                    {may.edit ? (
                      <>
                        <IconButton
                          label={`Edit ${label.labelName}`}
                          icon={<Pencil size={15} />}
                          onClick={() => setForm(label)}
                        />
                        {label.state === 'ACTIVE' ? (
                          <IconButton
                            label={`Archive ${label.labelName}`}
                            icon={<Archive size={15} />}
                            onClick={() => put(label, 'ARCHIVED')}
                          />
                        ) : (
                          <IconButton
                            label={`Restore ${label.labelName}`}
                            icon={<ArchiveRestore size={15} />}
                            onClick={() => put(label, 'ACTIVE')}
                          />
                        )}
                      </>
                    ) : null}
                    {may.remove ? (
                      <IconButton
                        tone="danger"
                        label={`Delete ${label.labelName}`}
                        icon={<Trash size={15} />}
                        onClick={() => setAsked(label.labelId)}
                      />
                    ) : null}
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </div>
      </Dialog>
      {deleting ? (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(undefined)}
          title={`Delete the label ${deleting.labelName}?`}
          action="Delete label"
          loading={remove.isPending}
          onConfirm={() => remove.mutate({ params: { ...ids, labelId: deleting.labelId } })}
        >
          {deleting.posts === 0 ? "It's not on any posts." : `It'll be removed from ${count(deleting.posts, 'post')}.`}{' '}
          You can't undo this. You can archive it instead.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

import Plus from 'lucide-react/icons/plus'
import { useId, useState } from 'react'
import { TaxonomyName } from '#contract/labels.ts'
import { createWorkflow, editWorkflow, WORKFLOW_STEPS_MOST, type Workflow } from '#contract/workflows.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { editedSteps, messagesByStep, newStep, onTheWire, type EditedStep } from './editing.ts'
import { StepList } from './StepList.tsx'

const handles = ['BAD_INPUT', 'NAME_TAKEN', 'NOT_FOUND'] as const

/** A workflow: its name and its steps. Posts already waiting keep the steps they were sent with. */
export function WorkflowDialog({ workflow, onClose }: { workflow?: Workflow; onClose: () => void }) {
  const ids = useProjectIds()
  const formId = useId()
  const [name, setName] = useState(workflow?.name ?? '')
  const [steps, setSteps] = useState(() => editedSteps(workflow))
  const [made, setMade] = useState(1)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const done = ({ message }: { message?: string | undefined }) => {
    toast.success(message ?? 'Workflow saved')
    onClose()
  }
  const onError = (failure: ApiFailure) => {
    if (handles.some((code) => code === failure.code))
      setErrors(Object.keys(failure.errors).length > 0 ? failure.errors : { form: [failure.detail ?? failure.title] })
  }
  const create = useSend(createWorkflow, { handles, onSuccess: done, onError })
  const edit = useSend(editWorkflow, { handles, onSuccess: done, onError })
  const sending = create.isPending || edit.isPending
  const { steps: problems, rest } = messagesByStep(errors)
  const change = (next: EditedStep[]) => {
    setSteps(next)
    setErrors({})
  }
  const save = () => {
    if (sending) return
    const named = TaxonomyName.safeParse(name)
    const found: Record<string, string[]> = named.success
      ? {}
      : { name: named.error.issues.map(({ message }) => message) }
    for (const [i, { approvers }] of steps.entries())
      if (approvers.length === 0) found[`steps.${i}.approvers`] = ['Choose at least one approver']
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const body = { name: name.trim(), steps: onTheWire(steps) }
    if (workflow) edit.mutate({ params: { ...ids, workflowId: workflow.workflowId }, body })
    else create.mutate({ params: ids, body })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title={workflow ? 'Edit workflow' : 'Create workflow'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" loading={sending}>
            {workflow ? 'Save' : 'Create workflow'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {rest.map((words) => (
          <Banner key={words} live tone="bad" title={words} />
        ))}
        <Field label="Name" error={errors['name']?.[0]}>
          <TextInput
            autoComplete="off"
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              setErrors((before) => ({ ...before, name: [] }))
            }}
          />
        </Field>
        <StepList steps={steps} problems={problems} onChange={change} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            size="s"
            icon={<Plus size={14} aria-hidden />}
            disabled={steps.length >= WORKFLOW_STEPS_MOST}
            onClick={() => {
              setMade(made + 1)
              change([...steps, newStep(`new ${made}`)])
            }}
          >
            Add step
          </Button>
          {steps.length >= WORKFLOW_STEPS_MOST ? (
            <span className="text-sm text-ink-muted">{`Up to ${WORKFLOW_STEPS_MOST} steps.`}</span>
          ) : null}
        </div>
        {workflow && workflow.waiting > 0 ? (
          <p className="text-sm text-ink-muted">{`${count(workflow.waiting, 'post is', 'posts are')} already waiting in this workflow. Changes only apply to posts sent from now on.`}</p>
        ) : null}
      </form>
    </Dialog>
  )
}

import { useId, type Ref } from 'react'
import type { Workflow } from '#contract/workflows.ts'
import { Select } from '#web/ui/Select.tsx'

type Props = {
  ref: Ref<HTMLSelectElement>
  workflows: readonly Workflow[]
  value: string | null
  onChange: (workflowId: string | null) => void
  /** It can go out without an approval. */ optional: boolean
  /** The one that was chosen is no more: nothing is taken in its place, and none is not either. */ lost: boolean
  error: string | undefined
}

const NONE = 'No approval'

/** Who approves it. */
export function WorkflowChoice({ ref, workflows, value, onChange, optional, lost, error }: Props) {
  const id = useId()
  const chosen = workflows.find(({ workflowId }) => workflowId === value)
  return (
    <div className="grid gap-1.5">
      <label className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="font-semibold">Workflow</span>
        <Select
          ref={ref}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-steps`}
          {...(optional && !lost
            ? { placeholder: NONE }
            : (lost || workflows.length !== 1) && { placeholder: 'Select a workflow' })}
          value={chosen ? chosen.workflowId : ''}
          onChange={({ target }) => onChange(target.value === '' || target.value === NONE ? null : target.value)}
          options={[
            ...(optional && lost ? [{ value: NONE, label: NONE }] : []),
            ...workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name })),
          ]}
          className="w-52 text-base"
        />
        <span id={`${id}-steps`} className="text-ink-muted">
          {chosen ? stepsOf(chosen) : lost ? 'This workflow was deleted.' : ''}
        </span>
      </label>
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** "Ana or Ben, then any Admin" */
function stepsOf({ steps }: Workflow): string {
  return steps
    .map(({ needs, approvers }) =>
      approvers
        .map(({ kind, name }) => (kind === 'role' ? `any ${name}` : name))
        .join(needs === 'any' ? ' or ' : ' and '),
    )
    .join(', then ')
}

import type { Ref } from 'react'
import type { Workflow } from '#contract/workflows.ts'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'

type Props = { ref: Ref<HTMLSelectElement>; workflows: readonly Workflow[]; value: string | null; onChange: (workflowId: string | null) => void; /** It can go out without an approval. */ optional: boolean; error: string | undefined }

/** Who approves it. */
export function WorkflowChoice({ ref, workflows, value, onChange, optional, error }: Props) {
  const chosen = workflows.find(({ workflowId }) => workflowId === value)
  return (
    <Field label="Workflow" optional={optional} error={error} hint={chosen ? stepsOf(chosen) : undefined} className="sm:max-w-80">
      <Select ref={ref} placeholder={optional ? 'No approval' : 'Select a workflow'} value={chosen ? chosen.workflowId : ''} onChange={({ target }) => onChange(target.value === '' ? null : target.value)} options={workflows.map(({ workflowId, name }) => ({ value: workflowId, label: name }))} />
    </Field>
  )
}

/** "Ana or Ben, then any Admin" */
function stepsOf({ steps }: Workflow): string {
  return steps.map(({ needs, approvers }) => approvers.map(({ kind, name }) => (kind === 'role' ? `any ${name}` : name)).join(needs === 'any' ? ' or ' : ' and ')).join(', then ')
}

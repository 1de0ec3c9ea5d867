import { useId } from 'react'
import type { Workflow } from '#contract/workflows.ts'
import { Select } from '#web/ui/Select.tsx'
import { useCheckResults, useComposer, useComposerState, useOptions } from './ComposerContext.ts'

const NONE = 'No approval'

/** Who approves the post, if that can be chosen. */
export function WorkflowChoice() {
  const { edited } = useComposer()
  const { workflows, mode, skipsWorkflow } = useOptions()
  return (
    <>
      {workflows && (!edited || mode === 'approve') ? <Choice workflows={workflows} /> : null}
      {skipsWorkflow ? (
        <p className="text-sm text-wait">
          A workflow was selected for this draft, but you can't send posts for approval here. It will be published
          without approval.
        </p>
      ) : null}
    </>
  )
}

function Choice({ workflows }: { workflows: readonly Workflow[] }) {
  const { store, edited, workflowRef } = useComposer()
  const { workflowId, needsApproval, asksForApproval } = useOptions()
  const { workflowError: error } = useCheckResults()
  const wanted = useComposerState(({ doc }) => doc.workflowId)
  const id = useId()
  const chosen = workflows.find((one) => one.workflowId === workflowId)
  const optional = !needsApproval && !(asksForApproval && workflowId === null)
  // the chosen one was deleted: nothing replaces it, not even "No approval"
  const lost = !edited && wanted !== null && workflowId === null
  const onChange = (value: string) =>
    store.dispatch({ type: 'workflowChosen', workflowId: value === '' || value === NONE ? null : value })
  return (
    <div className="grid gap-1.5">
      <label className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="font-semibold">Workflow</span>
        <Select
          ref={workflowRef}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-steps`}
          {...(optional && !lost
            ? { placeholder: NONE }
            : (lost || workflows.length !== 1) && { placeholder: 'Select a workflow' })}
          value={chosen ? chosen.workflowId : ''}
          onChange={({ target }) => onChange(target.value)}
          options={[
            ...(optional && lost ? [{ value: NONE, label: NONE }] : []),
            ...workflows.map((one) => ({ value: one.workflowId, label: one.name })),
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

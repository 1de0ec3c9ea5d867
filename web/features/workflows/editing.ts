import type { Workflow } from '#contract/workflows.ts'

/** An approver as the editor shows one; `id` is that of the member or the role, or the address. */
export type Named = Workflow['steps'][number]['approvers'][number]
/** `key` stays with a step when it moves. */
export type EditedStep = { key: string; needs: 'any' | 'all'; approvers: Named[] }

/** Why nobody can approve for them. */
export const goneWords = (kind: Named['kind']): string =>
  kind === 'role' ? 'has no one who can approve' : "can't approve anymore"

export function editedSteps(workflow: Workflow | undefined): EditedStep[] {
  return workflow
    ? workflow.steps.map(({ needs, approvers }, i) => ({ key: `kept ${i}`, needs, approvers }))
    : [newStep('new 0')]
}

export function newStep(key: string): EditedStep {
  return { key, needs: 'any', approvers: [] }
}

/** The steps as the calls expect them. */
export function onTheWire(steps: readonly EditedStep[]) {
  return steps.map(({ needs, approvers }) => ({
    needs,
    approvers: approvers.map(({ kind, id, name }) =>
      kind === 'member' ? { kind, userId: id } : kind === 'role' ? { kind, roleId: id } : { kind, email: id, name },
    ),
  }))
}

/**
 * Each message of the server at its step, including those about an approver. What belongs to no step is under `rest`.
 */
export function messagesByStep(errors: Readonly<Record<string, readonly string[]>>): {
  steps: Map<number, string[]>
  rest: string[]
} {
  const steps = new Map<number, string[]>()
  const rest: string[] = []
  for (const [path, messages] of Object.entries(errors)) {
    const step = /^steps\.(\d+)/.exec(path)?.[1]
    if (step === undefined) rest.push(...(path === 'name' ? [] : messages))
    else steps.set(Number(step), [...(steps.get(Number(step)) ?? []), ...messages])
  }
  return { steps, rest }
}

/** "Ana or Ben, then any Admin" */
export function stepsInWords(steps: Workflow['steps']): string {
  return steps
    .map(({ needs, approvers }) =>
      approvers
        .map(({ kind, name }) => (kind === 'role' ? `any ${name}` : name))
        .join(needs === 'any' ? ' or ' : ' and '),
    )
    .join(', then ')
}

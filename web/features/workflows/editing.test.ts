import { describe, expect, it } from 'vitest'
import { editedSteps, messagesByStep, onTheWire, stepsInWords } from './editing.ts'

const steps = [
  {
    needs: 'any' as const,
    approvers: [
      { kind: 'member' as const, id: 'm1', name: 'Ana', gone: false },
      { kind: 'external' as const, id: 'ben@example.org', name: 'Ben', gone: false },
    ],
  },
  { needs: 'all' as const, approvers: [{ kind: 'role' as const, id: 'r1', name: 'Admin', gone: false }] },
]

describe('a workflow in its editor', () => {
  it('is sent back as it was received, each approver by its own kind of ID', () => {
    expect(onTheWire(editedSteps({ workflowId: 'w', name: 'Both', isDefault: false, waiting: 0, steps }))).toEqual([
      {
        needs: 'any',
        approvers: [
          { kind: 'member', userId: 'm1' },
          { kind: 'external', email: 'ben@example.org', name: 'Ben' },
        ],
      },
      { needs: 'all', approvers: [{ kind: 'role', roleId: 'r1' }] },
    ])
  })

  it('is summarized in one line', () => {
    expect(stepsInWords(steps)).toBe('Ana or Ben, then any Admin')
  })

  it('shows messages about an approver at the step, and leaves the name to its field', () => {
    const { steps: byStep, rest } = messagesByStep({
      'steps.1.approvers.0': ["This role doesn't allow approving."],
      name: ['A name is required'],
      steps: ['Add a step'],
    })
    expect([...byStep]).toEqual([[1, ["This role doesn't allow approving."]]])
    expect(rest).toEqual(['Add a step'])
  })
})

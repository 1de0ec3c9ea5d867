import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { Chip } from '#web/ui/Chip.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { gripLook, moved, rowDragLook, useRowOrder } from '#web/ui/useRowOrder.ts'
import { ApproverChoice } from './ApproverChoice.tsx'
import { goneWords, type EditedStep, type Named } from './editing.ts'

type Props = {
  steps: readonly EditedStep[]
  problems: ReadonlyMap<number, readonly string[]>
  onChange: (steps: EditedStep[]) => void
}

/** The steps of a workflow in order; dragging, the buttons, or Alt and an arrow key change it. */
export function StepList({ steps, problems, onChange }: Props) {
  const { list, said, row, button } = useRowOrder<HTMLOListElement>({
    ids: steps.map(({ key }) => key),
    onMove: (from, to) => onChange(moved(steps, from, to)),
    place: 'step',
  })
  const set = (i: number, next: Partial<EditedStep>) =>
    onChange(steps.map((step, at) => (at === i ? { ...step, ...next } : step)))
  return (
    <>
      <ol ref={list} aria-label="Steps" className="grid gap-2.5">
        {steps.map((step, i) => (
          // dragging is an alternative; keys and buttons do the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={step.key}
            {...row(i)}
            className={clsx('grid gap-2.5 rounded-lg border border-line bg-surface p-3', rowDragLook)}
          >
            <div className="flex flex-wrap items-center gap-2">
              <span data-grip aria-hidden className={clsx('-m-1.5 p-1.5', gripLook)}>
                <GripVertical size={14} />
              </span>
              <h3 className="font-bold">{`Step ${i + 1}`}</h3>
              <Segmented
                label={`Who decides step ${i + 1}`}
                value={step.needs}
                onChange={(needs) => set(i, { needs })}
                options={[
                  { value: 'any', label: 'Any of them' },
                  { value: 'all', label: 'All of them' },
                ]}
              />
              <span className="ml-auto flex">
                <IconButton
                  {...button(i, 'up')}
                  label={`Move step ${i + 1} up`}
                  size="s"
                  icon={<ArrowUp size={14} />}
                />
                <IconButton
                  {...button(i, 'down')}
                  label={`Move step ${i + 1} down`}
                  size="s"
                  icon={<ArrowDown size={14} />}
                />
                <IconButton
                  tone="danger"
                  label={`Delete step ${i + 1}`}
                  size="s"
                  aria-disabled={steps.length === 1}
                  icon={<Trash size={14} />}
                  onClick={() => (steps.length > 1 ? onChange(steps.filter((_, at) => at !== i)) : undefined)}
                />
              </span>
            </div>
            {step.approvers.length > 0 ? (
              <ul aria-label={`Approvers of step ${i + 1}`} className="flex flex-wrap gap-1.5">
                {step.approvers.map((approver) => (
                  <li key={approver.id} className="max-w-full min-w-0">
                    <Chip
                      label={approver.name}
                      onRemove={() => set(i, { approvers: step.approvers.filter(({ id }) => id !== approver.id) })}
                    >
                      {wordsOf(approver)}
                    </Chip>
                  </li>
                ))}
              </ul>
            ) : null}
            <ApproverChoice
              step={i + 1}
              taken={step.approvers}
              onAdd={(approver) => set(i, { approvers: [...step.approvers, approver] })}
            />
            {problems.get(i)?.map((problem) => (
              <p key={problem} role="alert" className="text-sm text-bad">
                {problem}
              </p>
            ))}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

function wordsOf({ kind, id, name, gone }: Named): ReactNode {
  const who = kind === 'role' ? `Any ${name}` : kind === 'external' ? `${name}, ${id}` : name
  return gone ? (
    <>
      {who} <span className="text-wait">{goneWords(kind)}</span>
    </>
  ) : (
    who
  )
}

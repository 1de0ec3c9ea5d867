import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import { useRef, useState, type ReactNode } from 'react'
import { Chip } from '#web/ui/Chip.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { ApproverChoice } from './ApproverChoice.tsx'
import { goneWords, type EditedStep, type Named } from './editing.ts'

type Props = { steps: readonly EditedStep[]; problems: ReadonlyMap<number, readonly string[]>; onChange: (steps: EditedStep[]) => void }

/** The steps of a workflow in their order, which dragging, the buttons, or Alt and an arrow key change. */
export function StepList({ steps, problems, onChange }: Props) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => {
    const step = steps[from]
    if (!step || to < 0 || to >= steps.length || from === to) return
    const rest = steps.filter((_, i) => i !== from)
    onChange([...rest.slice(0, to), step, ...rest.slice(to)])
    setSaid(`Moved to step ${to + 1} of ${steps.length}`)
    // the focus goes with the step
    requestAnimationFrame(() => list.current?.children[to]?.querySelector<HTMLButtonElement>(`button[data-by="${to < from ? 'up' : 'down'}"]`)?.focus())
  }
  const set = (i: number, next: Partial<EditedStep>) => onChange(steps.map((step, at) => (at === i ? { ...step, ...next } : step)))
  return (
    <>
      <ol ref={list} aria-label="Steps" className="grid gap-2.5">
        {steps.map((step, i) => (
          // dragging is a second way; keys and buttons do the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={step.key}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              setOver(i)
            }}
            onDrop={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              move(dragged, i)
            }}
            onKeyDown={(event) => {
              if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
              event.preventDefault()
              move(i, event.key === 'ArrowUp' ? i - 1 : i + 1)
            }}
            className={clsx('grid gap-2.5 rounded-lg border border-line bg-surface p-3', dragged === i ? 'opacity-50' : '', over === i && dragged !== undefined && dragged !== i ? 'bg-accent-soft' : '')}
          >
            <div className="flex flex-wrap items-center gap-2">
              <span
                aria-hidden
                draggable
                onDragStart={(event) => {
                  setDragged(i)
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', `Step ${i + 1}`)
                }}
                onDragEnd={() => {
                  setDragged(undefined)
                  setOver(undefined)
                }}
                className="cursor-grab text-ink-faint max-md:hidden"
              >
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
                <IconButton data-by="up" label={`Move step ${i + 1} up`} size="s" aria-disabled={i === 0} icon={<ArrowUp size={14} />} onClick={() => move(i, i - 1)} />
                <IconButton data-by="down" label={`Move step ${i + 1} down`} size="s" aria-disabled={i === steps.length - 1} icon={<ArrowDown size={14} />} onClick={() => move(i, i + 1)} />
                <IconButton tone="danger" label={`Delete step ${i + 1}`} size="s" aria-disabled={steps.length === 1} icon={<Trash size={14} />} onClick={() => (steps.length > 1 ? onChange(steps.filter((_, at) => at !== i)) : undefined)} />
              </span>
            </div>
            {step.approvers.length > 0 ? (
              <ul aria-label={`Approvers of step ${i + 1}`} className="flex flex-wrap gap-1.5">
                {step.approvers.map((approver) => (
                  <li key={approver.id} className="max-w-full min-w-0">
                    <Chip label={approver.name} onRemove={() => set(i, { approvers: step.approvers.filter(({ id }) => id !== approver.id) })}>
                      {wordsOf(approver)}
                    </Chip>
                  </li>
                ))}
              </ul>
            ) : null}
            <ApproverChoice step={i + 1} taken={step.approvers} onAdd={(approver) => set(i, { approvers: [...step.approvers, approver] })} />
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

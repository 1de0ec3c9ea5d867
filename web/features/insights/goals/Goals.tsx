import { clsx } from 'clsx'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { deleteGoal, listGoals, type Goal } from '#contract/analytics/goals.ts'
import { figureText } from '#contract/analytics/labels.ts'
import { valueText } from '#contract/values.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, type ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { useChannels } from '../useChannels.ts'
import { useToday } from '../useToday.ts'
import { GoalDialog } from './GoalDialog.tsx'
import { paceSentences, standingText, subjectText } from './goalWords.ts'

/** The project's goals with their progress and pace, and what to change about them. */
export default function Goals() {
  const ids = useProjectIds()
  const found = useCall(listGoals, { params: ids }, { handles: true })
  const mayCreate = useMay([['insights', 'create']]) === 'yes'
  const [edited, setEdited] = useState<Goal | 'new'>()
  const add = (
    <Button size="s" icon={<Plus size={14} aria-hidden />} onClick={() => setEdited('new')}>
      Add goal
    </Button>
  )
  return (
    <Panel title="Goals" aside={mayCreate ? add : null}>
      <Loaded
        query={found}
        skeleton={<SkeletonRows rows={2} label="Loading goals" />}
        isEmpty={({ goals }) => goals.length === 0}
        empty={
          <p className={clsx(paperClass, 'px-3.5 py-3 text-pretty text-ink-muted')}>
            <span className="font-medium text-ink">No goals yet.</span> Set a target for followers, views or
            engagements, and see whether you're on your way.
          </p>
        }
      >
        {({ goals }) => (
          <ul className={clsx(paperClass, 'divide-y divide-line')}>
            {goals.map((goal) => (
              <GoalRow key={goal.goalId} ids={ids} goal={goal} onEdit={() => setEdited(goal)} />
            ))}
          </ul>
        )}
      </Loaded>
      {edited === undefined ? null : (
        <GoalDialog ids={ids} goal={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  )
}

const tones: Record<Goal['standing'], string> = {
  waiting: 'text-ink-muted',
  reached: 'text-ok',
  ahead: 'text-ok',
  onPace: 'text-ink-muted',
  behind: 'text-bad',
  missed: 'text-bad',
  going: 'text-ink-muted',
}

function GoalRow({ ids, goal, onEdit }: { ids: ProjectIds; goal: Goal; onEdit: () => void }) {
  const channels = useChannels(ids)
  const today = useToday()
  const { goalName, figure, target, value, percent, standing } = goal
  return (
    <li className="grid gap-1.5 px-3.5 py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h3 className="font-semibold break-words">{goalName}</h3>
          <p className="text-sm text-ink-muted">{subjectText(goal, channels)}</p>
        </div>
        <span className={clsx('pt-0.5 text-sm font-semibold whitespace-nowrap', tones[standing])}>
          {standingText(goal, today)}
        </span>
        <GoalMenu ids={ids} goal={goal} onEdit={onEdit} />
      </div>
      <Progress
        label={`${figureText(figure, value)} of ${figureText(figure, target)}`}
        value={value ?? 0}
        max={target}
        note={percent === null ? null : valueText(percent, 'percent')}
      />
      <p className="tnum text-sm text-pretty text-ink-muted">{paceSentences(goal, today).join(' ')}</p>
    </li>
  )
}

function GoalMenu({ ids, goal, onEdit }: { ids: ProjectIds; goal: Goal; onEdit: () => void }) {
  const mayEdit = useMay([['insights', 'edit']]) === 'yes'
  const mayDelete = useMay([['insights', 'delete']]) === 'yes'
  const [isDeleting, setIsDeleting] = useState(false)
  const remove = useSend(deleteGoal, {
    onSuccess: ({ message }) => {
      setIsDeleting(false)
      toast.success(message ?? 'Goal deleted')
    },
  })
  if (!mayEdit && !mayDelete) return null
  const label = `Actions for ${goal.goalName}`
  return (
    <>
      <Menu align="end" label={label} trigger={<IconButton size="s" label={label} icon={<Ellipsis size={16} />} />}>
        <MenuItem disabled={!mayEdit} icon={<Pencil size={15} />} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuItem danger disabled={!mayDelete} icon={<Trash size={15} />} onSelect={() => setIsDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setIsDeleting}
        title="Delete this goal?"
        action="Delete goal"
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params: { ...ids, goalId: goal.goalId } })}
      >
        {goal.goalName} is deleted for everyone. The figures stay.
      </ConfirmDialog>
    </>
  )
}

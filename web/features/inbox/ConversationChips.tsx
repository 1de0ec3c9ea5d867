import { clsx } from 'clsx'
import Tag from 'lucide-react/icons/tag'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { useState } from 'react'
import { sentiments } from '#contract/inbox/terms.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { inkTone } from '#web/ui/tones.ts'
import type { ConversationRow } from './heldConversations.ts'
import { sentimentLook } from './look.ts'
import type { InboxActions } from './useInboxActions.ts'
import { useChoices, useMayManageLabels } from './useChoices.ts'

export type Part = { row: ConversationRow; actions: InboxActions }
/** Opened by its button or by a key. */
export type Opened = { open: boolean; onOpenChange: (open: boolean) => void }
type Editable = { mayEdit: boolean }
const chip =
  'inline-flex h-6.5 max-w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium text-ink-muted inset-ring inset-ring-line hover:bg-hover hover:text-ink data-[state=open]:bg-hover pointer-coarse:h-9'

/** Who takes care of the conversation. */
export function Assignee({ row, actions, mayEdit, ...opened }: Part & Opened & Editable) {
  const { people } = useChoices()
  const { assignee } = row
  const shown = assignee ? (
    <>
      <Avatar name={assignee.name} src={assignee.profileUrl} size={18} />
      <span dir="auto" className="truncate text-ink">
        {assignee.name}
      </span>
    </>
  ) : (
    <>
      <UserRoundPlus size={14} aria-hidden />
      {mayEdit ? 'Assign' : 'Unassigned'}
    </>
  )
  if (!mayEdit) return <span className={clsx(chip, 'pointer-events-none')}>{shown}</span>
  return (
    <Menu
      label="Assign to"
      className="max-h-96"
      {...opened}
      trigger={
        <button type="button" className={chip}>
          {assignee ? <span className="sr-only">Assigned to </span> : null}
          {shown}
        </button>
      }
    >
      {people.map(({ userId, name, profileUrl, isYou }) => (
        <MenuItem
          key={userId}
          icon={<Avatar name={name} src={profileUrl} size={18} />}
          end={userId === assignee?.userId ? 'Assigned' : undefined}
          onSelect={() => actions.assign(row, { userId, name, profileUrl })}
        >
          {isYou ? `${name} (you)` : name}
        </MenuItem>
      ))}
      {assignee ? (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => actions.assign(row, null)}>Unassign</MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

/** Its labels. */
export function Labels({
  row,
  actions,
  mayEdit,
  onManageLabels,
  ...opened
}: Part & Opened & Editable & { onManageLabels: () => void }) {
  const labels = useChoices().labels.filter(({ state }) => state === 'ACTIVE')
  const mayManage = useMayManageLabels()
  const [ticked, tick] = useTicked(row.labels)
  const carried = ticked.map(({ labelId }) => labelId)
  const choose = (next: ConversationRow['labels']) => {
    tick(next)
    actions.label(row, next)
  }
  const shown =
    row.labels.length > 0 ? (
      row.labels.slice(0, 3).map(({ labelId, labelName, color }) => (
        <span key={labelId} className="flex min-w-0 items-center gap-1.5 text-ink">
          <LabelDot color={color} className="size-2!" />
          <span dir="auto" className="max-w-28 truncate">
            {labelName}
          </span>
        </span>
      ))
    ) : (
      <>
        <Tag size={13} aria-hidden />
        Label
      </>
    )
  const rest = row.labels.length - 3
  if (!mayEdit) return row.labels.length > 0 ? <span className={clsx(chip, 'pointer-events-none')}>{shown}</span> : null
  return (
    <Popover
      label="Labels"
      className="w-64"
      {...opened}
      trigger={
        <button type="button" className={chip}>
          {row.labels.length > 0 ? <span className="sr-only">Labels: </span> : null}
          {shown}
          {rest > 0 ? <span className="tnum">+{rest}</span> : null}
        </button>
      }
    >
      {labels.length > 0 ? (
        <ul className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-2.5 overflow-y-auto pointer-coarse:gap-0">
          {labels.map(({ labelId, labelName, color }) => (
            <li key={labelId} className="pointer-coarse:py-2">
              <Checkbox
                checked={carried.includes(labelId)}
                onChange={({ target }) =>
                  choose(
                    target.checked
                      ? [...ticked, { labelId, labelName, color }]
                      : ticked.filter((one) => one.labelId !== labelId),
                  )
                }
                label={
                  <span className="flex min-w-0 items-center gap-2">
                    <LabelDot color={color} />
                    <span dir="auto" className="truncate">
                      {labelName}
                    </span>
                  </span>
                }
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-muted">No labels yet.</p>
      )}
      {mayManage ? (
        <Button size="s" tone="quiet" className="mt-2" onClick={onManageLabels}>
          Manage labels
        </Button>
      ) : null}
    </Popover>
  )
}

/**
 * The labels as just ticked, until those of the conversation change: what the cache shows at once reaches React a moment
 * after the click, in which a box would jump back, and a second click would start from what was before the first.
 */
function useTicked(labels: ConversationRow['labels']) {
  const key = labels.map(({ labelId }) => labelId).join()
  const [ticked, setTicked] = useState<{ since: string; labels: ConversationRow['labels'] }>()
  if (ticked && ticked.since !== key) setTicked(undefined)
  const tick = (next: ConversationRow['labels']) => setTicked({ since: key, labels: next })
  return [ticked?.since === key ? ticked.labels : labels, tick] as const
}

/** Its sentiment. */
export function Mood({ row, actions, mayEdit }: Part & Editable) {
  const { word, tone, icon: Icon } = sentimentLook[row.sentiment ?? 'unknown']
  const shown = (
    <>
      <Icon size={14} aria-hidden className={row.sentiment ? inkTone[tone] : ''} />
      <span className="sr-only">Sentiment: </span>
      <span className={row.sentiment ? 'text-ink' : ''}>{word}</span>
    </>
  )
  if (!mayEdit) return <span className={clsx(chip, 'pointer-events-none')}>{shown}</span>
  return (
    <Menu
      label="Sentiment"
      trigger={
        <button type="button" className={chip}>
          {shown}
        </button>
      }
    >
      {sentiments.map((sentiment) => {
        const look = sentimentLook[sentiment]
        return (
          <MenuItem
            key={sentiment}
            icon={<look.icon size={14} aria-hidden className={inkTone[look.tone]} />}
            onSelect={() => actions.judge(row, sentiment)}
          >
            {look.word}
          </MenuItem>
        )
      })}
      {row.sentiment ? (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => actions.judge(row, null)}>Rate automatically</MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

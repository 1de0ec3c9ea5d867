import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Clock from 'lucide-react/icons/clock'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Link2 from 'lucide-react/icons/link-2'
import Trash from 'lucide-react/icons/trash-2'
import Type from 'lucide-react/icons/type'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { withScheme } from '#contract/linkInBio/links.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { gripLook } from '#web/ui/useRowOrder.ts'
import type { EditedItem } from './edited.ts'
import { useEditor } from './EditorContext.ts'
import { ItemTimes } from './ItemTimes.tsx'
import { fieldOf } from './problems.ts'
import { standingOf, timesText, type Standing } from './standing.ts'

type Props = {
  item: EditedItem
  /** "button 2": its name for screen readers. */
  name: string
  /** The two buttons that move it. */
  move: Record<'up' | 'down', ComponentProps<'button'>>
  /** Before the fields: a post's picture. */
  lead?: ReactNode
  /** Under the fields: what the post is. */
  about?: ReactNode
  onRemove: () => void
}

const standingLook: Record<Standing, { tone: 'neutral' | 'wait' | 'info' | 'ok'; word: string }> = {
  hidden: { tone: 'neutral', word: 'Hidden' },
  ended: { tone: 'wait', word: 'Ended' },
  waiting: { tone: 'info', word: 'Not yet' },
  shown: { tone: 'ok', word: 'Shown' },
}

/** One link of the page: its text, where it leads, when it's shown, its place. */
export function ItemRow({ item, name, move, lead, about, onRemove }: Props) {
  const { dispatch, readOnly, problemOf, leave, now } = useEditor()
  const [opened, setOpened] = useState(false)
  const { key, hidden } = item
  const set = (part: Partial<Pick<EditedItem, 'label' | 'url' | 'hidden'>>) =>
    dispatch({ type: 'itemChanged', key, part })
  const fields = { label: fieldOf(item, 'label'), url: fieldOf(item, 'url'), ends: fieldOf(item, 'ends') }
  const isOpen = opened || problemOf(fields.ends) !== undefined
  const standing = standingOf(item, now)
  const times = timesText(item, now)
  return (
    <>
      {readOnly ? null : (
        <span data-grip aria-hidden className={clsx('-my-1 -ml-1 grid place-items-center px-1 py-3', gripLook)}>
          <GripVertical size={14} />
        </span>
      )}
      {lead}
      <div className="grid min-w-0 grow basis-[calc(100%-6rem)] grid-cols-[minmax(0,1fr)] gap-1.5 @min-[36rem]:basis-0 @min-[36rem]:grid-cols-2">
        <Field label={`Text of ${name}`} labelHidden error={problemOf(fields.label)}>
          <TextInput
            data-field={fields.label}
            start={<Type size={13} aria-hidden />}
            placeholder="Text"
            readOnly={readOnly}
            value={item.label}
            autoComplete="off"
            onChange={({ target }) => set({ label: target.value })}
            onBlur={() => leave(fields.label)}
            className={hidden ? 'opacity-75' : ''}
          />
        </Field>
        <Field label={`Link of ${name}`} labelHidden error={problemOf(fields.url)}>
          <TextInput
            data-field={fields.url}
            start={<Link2 size={14} aria-hidden />}
            placeholder="https://example.com"
            readOnly={readOnly}
            value={item.url}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set({ url: target.value })}
            onBlur={() => {
              const whole = withScheme(item.url)
              if (whole !== item.url) set({ url: whole })
              leave(fields.url)
            }}
            className={hidden ? 'opacity-75' : ''}
          />
        </Field>
        {(about ?? times ?? standing !== 'shown') ? (
          <div className="col-span-full flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
            {standing === 'shown' ? null : (
              <Badge tone={standingLook[standing].tone}>{standingLook[standing].word}</Badge>
            )}
            {times ? <span className="tnum">{times}</span> : null}
            {about}
          </div>
        ) : null}
        {isOpen ? <ItemTimes item={item} error={problemOf(fields.ends)} /> : null}
      </div>
      <div className="ml-auto flex h-8 shrink-0 items-center">
        {readOnly ? (
          <ScheduleButton name={name} isOpen={isOpen} onClick={() => setOpened(!isOpen)} />
        ) : (
          <>
            <IconButton
              size="s"
              label={hidden ? `Show ${name}` : `Hide ${name}`}
              icon={hidden ? <EyeOff size={14} /> : <Eye size={14} />}
              onClick={() => set({ hidden: !hidden })}
            />
            <ScheduleButton name={name} isOpen={isOpen} onClick={() => setOpened(!isOpen)} />
            <IconButton {...move.up} size="s" label={`Move ${name} up`} icon={<ArrowUp size={14} />} />
            <IconButton {...move.down} size="s" label={`Move ${name} down`} icon={<ArrowDown size={14} />} />
            <IconButton
              data-remove
              size="s"
              tone="danger"
              label={`Remove ${name}`}
              icon={<Trash size={14} />}
              onClick={onRemove}
            />
          </>
        )}
      </div>
    </>
  )
}

function ScheduleButton({ name, isOpen, onClick }: { name: string; isOpen: boolean; onClick: () => void }) {
  return (
    <IconButton
      size="s"
      label={`Times of ${name}`}
      aria-expanded={isOpen}
      data-state={isOpen ? 'open' : 'closed'}
      icon={<Clock size={14} />}
      onClick={onClick}
    />
  )
}

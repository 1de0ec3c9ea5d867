import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { Taken } from './checks.ts'

type Props = { value: string; taken: readonly Taken[]; error: string | undefined; onChange: (value: string) => void }

/** A comment that follows the post by itself, where the platform has one. */
export function FirstComment({ value, taken, error, onChange }: Props) {
  const [opened, setOpened] = useState(false)
  const able = taken.filter(({ rules }) => rules.firstComment)
  if (able.length === 0) return null
  if (!opened && value === '') {
    return (
      <Button tone="quiet" size="s" className="justify-self-start" icon={<MessageSquarePlus size={14} aria-hidden />} onClick={() => setOpened(true)}>
        Add a first comment
      </Button>
    )
  }
  const most = Math.min(...able.map(({ rules }) => rules.firstComment?.max ?? Infinity))
  const unable = taken.filter((one) => !able.includes(one)).map(({ platform }) => platform.label)
  return (
    <Field
      label="First comment"
      error={error}
      aside={<span className="tnum">{`${Array.from(value.trim()).length} / ${most}`}</span>}
      hint={unable.length > 0 ? `Not on ${[...new Set(unable)].join(', ')}.` : undefined}
    >
      {/* it was opened to be written in */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <TextArea rows={2} autoFocus={opened} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { useId, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { commentCounts, type Taken } from './checks.ts'
import { Counter } from './Counter.tsx'

type Props = { value: string; taken: readonly Taken[]; error: string | undefined; onChange: (value: string) => void }

/** A comment that follows the post by itself, where the platform has one. */
export function FirstComment({ value, taken, error, onChange }: Props) {
  const counterId = useId()
  const [opened, setOpened] = useState(false)
  const able = taken.filter(({ rules }) => rules.firstComment)
  if (able.length === 0) return null
  if (!opened && value === '') {
    return (
      <Button
        tone="quiet"
        size="s"
        className="justify-self-start"
        icon={<MessageSquarePlus size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Add a first comment
      </Button>
    )
  }
  const unable = taken.filter((one) => !able.includes(one)).map(({ platform }) => platform.label)
  return (
    <Field
      label="First comment"
      error={error}
      aside={<Counter id={counterId} counts={commentCounts(able, value)} />}
      hint={unable.length > 0 ? `Not on ${[...new Set(unable)].join(', ')}.` : undefined}
    >
      {/* it was opened to be written in */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <TextArea rows={2} autoFocus={opened} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { useId, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { commentCounts, errorAt } from './checks.ts'
import { useCheckResults, useComposer, useComposerState, useVersion } from './ComposerContext.ts'
import { Counter } from './Counter.tsx'
import { firstCommentFor } from './doc.ts'

/** A comment that is posted right after the post, on platforms with comments. */
export function FirstComment() {
  const { scope } = useVersion()
  return <Comment key={scope} />
}

function Comment() {
  const { store } = useComposer()
  const { scope: at, channelId, counted, taken } = useVersion()
  const error = errorAt(useCheckResults().errors, counted, 'firstComment')
  const value = useComposerState(({ doc }) => firstCommentFor(doc, channelId))
  const onChange = (text: string) => store.dispatch({ type: 'firstCommentChanged', at, text })
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
      {/* it was opened to type */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <TextArea rows={2} autoFocus={opened} value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

import Sparkles from 'lucide-react/icons/sparkles'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { aiHelp, type AiHelpAnswer, type AiHelpQuestion } from '#contract/aiHelp.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { NoSuggestion } from './NoSuggestion.tsx'
import { Suggestion, type Takes } from './Suggestion.tsx'

export type HelpTarget = AiHelpQuestion['targets'][number]

type Props = Takes & {
  ids: ProjectIds
  /** The current text. */
  text: string
  /** The channels with that text. */
  targets: readonly HelpTarget[]
  onClose: () => void
}

/** Asks AI about the text of a post and shows its suggestion: nothing changes before someone uses it. */
export default function AiHelpPanel({ ids, text, targets, onClose, ...takes }: Props) {
  const [brief, setBrief] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const ask = useSend(aiHelp, { handles: true })
  const [asked, setAsked] = useState<AiHelpQuestion>()
  // a response that was dismissed while it was on its way isn't shown
  const answer = asked && !ask.isPending ? ask.data : undefined
  useEffect(() => first.current?.focus(), [])

  const send = (question: AiHelpQuestion) => {
    setAsked(question)
    ask.mutate({ params: ids, body: question })
  }
  const drop = () => {
    setAsked(undefined)
    ask.reset()
    first.current?.focus()
  }
  const written = text.trim() !== ''
  const shared = { text, targets: [...targets] }
  const waits = asked !== undefined && ask.isPending
  return (
    // Escape closes it wherever in it the focus is
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="AI help"
      className="grid gap-3 rounded-lg border border-line bg-surface px-3.5 py-3"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="flex items-center gap-2 font-semibold">
          <Sparkles size={15} aria-hidden className="text-accent" />
          AI help
        </h2>
        <IconButton label="Close AI help" size="s" icon={<X size={14} />} onClick={onClose} />
      </div>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (brief.trim()) send({ kind: 'write', brief, targets: [...targets] })
        }}
      >
        <div className="min-w-52 grow">
          <Field label={written ? 'Write something else' : 'What should the post say?'}>
            <TextInput
              ref={first}
              value={brief}
              maxLength={1000}
              placeholder="Open until midnight on Friday, with live music"
              onChange={({ target }) => setBrief(target.value)}
            />
          </Field>
        </div>
        <Button type="submit" disabled={waits || brief.trim() === ''}>
          Write
        </Button>
      </form>
      {written ? (
        <div role="group" aria-label="Improve the current text" className="flex flex-wrap gap-2">
          <Button size="s" disabled={waits} onClick={() => send({ kind: 'shorten', ...shared })}>
            Shorten
          </Button>
          {targets.length > 0 ? (
            <Button size="s" disabled={waits} onClick={() => send({ kind: 'adapt', ...shared })}>
              {targets.length === 1 ? 'Adapt to the channel' : 'Adapt to each channel'}
            </Button>
          ) : null}
          <Button size="s" disabled={waits} onClick={() => send({ kind: 'hashtags', ...shared })}>
            Suggest hashtags
          </Button>
        </div>
      ) : null}
      <div role="status" className="sr-only">
        {waits ? 'Loading suggestion' : answer ? wordsFor(answer) : ''}
      </div>
      {waits ? (
        <div className="grid gap-2">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
          <Button size="s" tone="quiet" className="justify-self-start" onClick={drop}>
            Cancel
          </Button>
        </div>
      ) : null}
      {asked && ask.error && !ask.isPending ? <NoSuggestion error={ask.error} onAgain={() => send(asked)} /> : null}
      {asked && answer ? (
        <Suggestion
          key={asked.kind}
          kind={asked.kind}
          answer={answer}
          hasText={written}
          {...takes}
          onAgain={() => send(asked)}
          onDiscard={drop}
        />
      ) : null}
    </section>
  )
}

function wordsFor({ suggestions, hashTags }: AiHelpAnswer): string {
  const [first, ...others] = suggestions
  if (!first) return `${hashTags.length} hashtags suggested`
  return others.length > 0 ? `${suggestions.length} texts suggested` : `Suggestion: ${first.text}`
}

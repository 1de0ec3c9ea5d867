import { useState, type ReactNode } from 'react'
import type { AiHelpAnswer, AiHelpKind } from '#contract/aiHelp.ts'
import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'

export type Takes = {
  /** Replaces the current text. */
  onReplace: (kind: AiHelpKind, text: string) => void
  /** Inserts the text at the caret. */
  onInsert: (kind: AiHelpKind, words: string) => void
  /** Gives channels their own text. */
  onAdapt: (suggestions: AiHelpAnswer['suggestions']) => void
  /** The channels that a suggestion is for, with their icons. */
  channelsOf: (channelIds: readonly string[]) => ReactNode
}

type Props = Takes & {
  kind: AiHelpKind
  answer: AiHelpAnswer
  /** There is a text already. */ hasText: boolean
  onAgain: () => void
  onDiscard: () => void
}

/** What AI suggests, to be used or not. */
export function Suggestion({
  kind,
  answer: { suggestions, hashTags, creditsLeft },
  hasText,
  onReplace,
  onInsert,
  onAdapt,
  channelsOf,
  onAgain,
  onDiscard,
}: Props) {
  const [left, setLeft] = useState(suggestions)
  const [off, setOff] = useState<readonly string[]>([])
  const [only] = suggestions
  const tags = hashTags.filter((tag) => !off.includes(tag))
  const give = (some: AiHelpAnswer['suggestions']) => {
    onAdapt(some)
    const rest = left.filter((one) => !some.includes(one))
    setLeft(rest)
    if (rest.length === 0) onDiscard()
  }
  return (
    <div className="grid gap-2.5 border-t border-line pt-3">
      {hashTags.length > 0 ? (
        <div role="group" aria-label="Suggested hashtags" className="flex flex-wrap gap-1.5">
          {hashTags.map((tag) => (
            <button
              key={tag}
              type="button"
              aria-pressed={!off.includes(tag)}
              onClick={() => setOff(off.includes(tag) ? off.filter((one) => one !== tag) : [...off, tag])}
              className="min-h-7 rounded-full px-2.5 text-sm text-ink-muted inset-ring inset-ring-line hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-ink aria-pressed:inset-ring-accent pointer-coarse:min-h-9"
            >
              #{tag}
            </button>
          ))}
        </div>
      ) : kind === 'adapt' ? (
        <ul aria-label="Suggested texts" className="grid gap-2.5">
          {left.map((suggestion) => (
            <li key={suggestion.channelIds.join()} className="grid gap-1.5">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-sm font-semibold">
                  {channelsOf(suggestion.channelIds)}
                </span>
                <Button size="s" onClick={() => give([suggestion])}>
                  {suggestion.channelIds.length === 1 ? 'Use for this channel' : 'Use for these channels'}
                </Button>
              </div>
              <Words text={suggestion.text} />
            </li>
          ))}
        </ul>
      ) : only ? (
        <Words text={only.text} />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {hashTags.length > 0 ? (
          <Button
            size="s"
            tone="primary"
            disabled={tags.length === 0}
            onClick={() => onInsert(kind, tags.map((tag) => `#${tag}`).join(' '))}
          >
            {tags.length === 1 ? 'Insert it' : `Insert ${tags.length}`}
          </Button>
        ) : kind === 'adapt' ? (
          left.length > 1 ? (
            <Button size="s" tone="primary" onClick={() => give(left)}>
              Use all
            </Button>
          ) : null
        ) : only ? (
          <>
            <Button size="s" tone="primary" onClick={() => onReplace(kind, only.text)}>
              {hasText ? 'Replace the text' : 'Use it'}
            </Button>
            {hasText ? (
              <Button size="s" onClick={() => onInsert(kind, only.text)}>
                Insert
              </Button>
            ) : null}
          </>
        ) : null}
        <Button size="s" onClick={onAgain}>
          Try another
        </Button>
        <Button size="s" tone="quiet" onClick={onDiscard}>
          Discard
        </Button>
        <span className="tnum ml-auto text-sm text-ink-muted">{count(creditsLeft, 'AI credit')} left this month</span>
      </div>
    </div>
  )
}

function Words({ text }: { text: string }) {
  return (
    <p
      dir="auto"
      className="rounded-md bg-sunken px-3 py-2 leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text}
    </p>
  )
}

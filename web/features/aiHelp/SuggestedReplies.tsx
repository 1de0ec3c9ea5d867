import Sparkles from 'lucide-react/icons/sparkles'
import { suggestReplies } from '#contract/inbox/suggest.ts'
import { whyNoModel } from '#contract/platforms/inboxRegistry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { NoSuggestion } from './NoSuggestion.tsx'

type Props = {
  conversationId: string
  platform: PlatformKey
  /** Puts the text where the answer is written. */
  onUse: (text: string) => void
}

/**
 * Drafts of an answer, on request. Using one puts it into the field; nothing is sent. Not shown on a server without an AI
 * model, where nobody could do anything about it.
 */
export function SuggestedReplies({ conversationId, platform, onUse }: Props) {
  const ids = useProjectIds()
  const ask = useSend(suggestReplies, { handles: true })
  const isSetUp = useHome().data?.capabilities.ai ?? true
  const forbidden = whyNoModel(platform)
  const send = () => ask.mutate({ params: { ...ids, conversationId } })
  if (!isSetUp) return null
  if (ask.isPending) return <SkeletonLines lines={3} label="Looking for suggestions" />
  if (ask.error) return <NoSuggestion error={ask.error} onAgain={send} />
  if (!ask.data)
    return (
      <div className="flex flex-wrap items-center gap-2">
        <Button size="s" icon={<Sparkles size={14} aria-hidden />} disabled={forbidden !== null} onClick={send}>
          Suggest replies
        </Button>
        {forbidden === null ? null : <p className="text-sm text-ink-muted">{forbidden}</p>}
      </div>
    )
  return (
    <section aria-label="Suggested replies" className="grid gap-2">
      <ul className="grid gap-1.5">
        {ask.data.suggestions.map((text) => (
          <li key={text} className="flex items-start gap-2 rounded-md bg-sunken px-3 py-2">
            <p dir="auto" className="min-w-0 grow leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">
              {text}
            </p>
            <Button
              size="s"
              aria-label={`Use: ${text}`}
              onClick={() => {
                onUse(text)
                ask.reset()
              }}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="s" onClick={send}>
          Try again
        </Button>
        <Button size="s" tone="quiet" onClick={() => ask.reset()}>
          Discard
        </Button>
        <span className="tnum ml-auto text-sm text-ink-muted">
          {count(ask.data.creditsLeft, 'AI credit')} left this month
        </span>
      </div>
    </section>
  )
}

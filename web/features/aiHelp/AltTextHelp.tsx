import Sparkles from 'lucide-react/icons/sparkles'
import { aiHelp } from '#contract/aiHelp.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import type { HelpTarget } from './AiHelpPanel.tsx'
import { NoSuggestion } from './NoSuggestion.tsx'

type Props = {
  ids: ProjectIds
  assetId: string
  /** Which image, for people who can't see it. */ name: string
  text: string
  targets: readonly HelpTarget[]
  onTake: (text: string) => void
}

/** Suggests a description for an image. */
export function AltTextHelp({ ids, assetId, name, text, targets, onTake }: Props) {
  const ask = useSend(aiHelp, { handles: true })
  const send = () => ask.mutate({ params: ids, body: { kind: 'altText', assetId, text, targets: [...targets] } })
  const [suggestion] = ask.data?.suggestions ?? []
  if (suggestion) {
    return (
      <div role="status" className="grid gap-1.5 text-sm">
        <p dir="auto" className="rounded-md bg-sunken px-2.5 py-1.5 [overflow-wrap:anywhere]">
          {suggestion.text}
        </p>
        <span className="flex gap-1.5">
          <Button
            size="s"
            tone="primary"
            onClick={() => {
              onTake(suggestion.text)
              ask.reset()
            }}
          >
            Use it
          </Button>
          <Button size="s" tone="quiet" onClick={() => ask.reset()}>
            Discard
          </Button>
        </span>
      </div>
    )
  }
  if (ask.error) return <NoSuggestion error={ask.error} onAgain={send} />
  return (
    <Button
      size="s"
      tone="quiet"
      className="justify-self-start"
      loading={ask.isPending}
      aria-label={`Describe with AI: ${name}`}
      icon={<Sparkles size={13} aria-hidden />}
      onClick={send}
    >
      Describe with AI
    </Button>
  )
}

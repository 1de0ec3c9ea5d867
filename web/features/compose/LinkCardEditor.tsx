import { useState } from 'react'
import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { readAsset } from '#contract/media.ts'
import { addressOf } from '#web/lib/client.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useCards, useComposer, useItems, useVersion } from './ComposerContext.ts'
import type { LinkCard } from './doc.ts'
import type { CardState } from './useLinkCards.ts'

/** The card under the text: read from the page, edited or removed by the person. If a channel shows one. */
export function LinkCardEditor() {
  const { taken } = useVersion()
  const limits = taken.find(({ rules }) => rules.linkCard)?.rules.linkCard
  const [item] = useItems()
  const card = useCards()(item?.text ?? '')
  return limits ? <Card state={card} limits={limits} hiddenByPictures={(item?.media.length ?? 0) > 0} /> : null
}

type Props = { state: CardState; limits: { title: number; description: number }; hiddenByPictures: boolean }

function Card({ state, limits, hiddenByPictures }: Props) {
  const { store, ids } = useComposer()
  const onChange = (card: LinkCard) => store.dispatch({ type: 'cardChanged', card })
  const [editing, setEditing] = useState(false)
  const { card, reading, problem, url } = state
  if (!url) return null
  if (reading) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner /> Loading the link card of {hostOf(url)}
      </p>
    )
  }
  if (problem)
    return (
      <p className="text-sm text-ink-muted">
        {hostOf(url)} has no link card: {problem} The link itself stays in the text.
      </p>
    )
  if (!card) return null
  const shown = {
    ...card,
    title: card.title.slice(0, limits.title),
    description: card.description.slice(0, limits.description),
  }
  return (
    <div className="rounded-md border border-line bg-surface">
      <div className="flex items-start gap-3 p-2.5">
        {card.imageAssetId ? (
          <img
            src={addressOf(readAsset, { params: { ...ids, assetId: card.imageAssetId } })}
            alt=""
            className="h-14 w-24 shrink-0 rounded-sm bg-sunken object-cover"
          />
        ) : null}
        <div className="min-w-0 grow">
          <p dir="auto" className="truncate font-semibold">
            {shown.title || shown.uri}
          </p>
          <p dir="auto" className="line-clamp-2 text-sm text-ink-muted">
            {shown.description || 'No description'}
          </p>
          <p className="text-xs text-ink-muted">{hostOf(shown.uri)}</p>
        </div>
        <div className="flex shrink-0">
          <IconButton
            label="Edit the link card"
            size="s"
            icon={<Pencil size={13} />}
            aria-expanded={editing}
            onClick={() => setEditing(!editing)}
          />
          <IconButton
            label="Remove the link card"
            size="s"
            icon={<X size={14} />}
            onClick={() => store.dispatch({ type: 'cardRemoved', url: card.uri })}
          />
        </div>
      </div>
      {hiddenByPictures ? (
        <p className="border-t border-line px-2.5 py-1.5 text-sm text-wait">
          A post can have images or a link card, not both. Remove the images to use the card.
        </p>
      ) : null}
      {editing ? (
        <div className="grid gap-3 border-t border-line p-2.5">
          <Field label="Title" aside={`${shown.title.length} / ${limits.title}`}>
            <TextInput
              value={shown.title}
              maxLength={limits.title}
              onChange={(event) => onChange({ ...shown, title: event.target.value })}
            />
          </Field>
          <Field label="Description" aside={`${shown.description.length} / ${limits.description}`}>
            <TextArea
              rows={2}
              value={shown.description}
              maxLength={limits.description}
              onChange={(event) => onChange({ ...shown, description: event.target.value })}
            />
          </Field>
          <Button size="s" className="justify-self-start" onClick={() => setEditing(false)}>
            Done
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host.replace(/^www\./, '') : uri
}

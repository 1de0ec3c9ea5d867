import { useState } from 'react'
import type { InsightsCard } from '#contract/analytics/overview.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { FigureCard } from './FigureCard.tsx'
import type { NamedChannels } from './useChannels.ts'

export type ChosenFigure = { subject: FigureSubject; name: FigureKey }

type Props = {
  ids: ProjectIds
  label: string
  cards: readonly InsightsCard[]
  channels: NamedChannels
  than: string
  chosen: ChosenFigure | undefined
  platform?: PlatformKey
  onChoose: (figure: ChosenFigure) => void
}

/** So many cards are shown first: two rows where they're widest. */
const FIRST = 8
export const cardGrid =
  'grid grid-cols-[repeat(2,minmax(0,1fr))] gap-2.5 md:grid-cols-[repeat(3,minmax(0,1fr))] xl:grid-cols-[repeat(4,minmax(0,1fr))]'

/** Totals, the most asked for first. */
export function Cards({ label, cards, chosen, ...rest }: Props) {
  const [all, setAll] = useState(false)
  const ordered = cards.toSorted((one, other) => rankOf(one) - rankOf(other))
  const isChosen = (card: InsightsCard) => card.subject === chosen?.subject && card.name === chosen.name
  const shown = all ? ordered : ordered.filter((card, i) => i < FIRST || isChosen(card))
  return (
    <>
      <ul aria-label={label} className={cardGrid}>
        {shown.map((card) => (
          <FigureCard
            key={`${card.subject} ${card.name}`}
            {...rest}
            card={card}
            isChosen={isChosen(card)}
            onChoose={() => rest.onChoose({ subject: card.subject, name: card.name })}
          />
        ))}
      </ul>
      {ordered.length > FIRST ? (
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer figures' : `Show all ${ordered.length} figures`}
        </Button>
      ) : null}
    </>
  )
}

/** A figure without a value comes after those with one. */
const rankOf = (card: InsightsCard): number => {
  const place = ORDER.indexOf(`${card.subject} ${card.name}`)
  return (card.value === null ? 1000 : 0) + (place < 0 ? ORDER.length : place)
}
const ORDER = [
  'post viewsAndImpressions',
  'post engagements',
  'post engagementRate',
  'channel followers',
  'post published',
  'channel followersGained',
  'post reactions',
  'post comments',
  'post shares',
  'post clicks',
  'post saves',
  'post videoViews',
  'channel profileViews',
  'channel profileActions',
  'post watchSeconds',
]

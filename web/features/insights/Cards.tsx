import type { InsightsCard } from '#contract/analytics/overview.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { inOrder } from './cardOrder.ts'
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
  /** Shows every figure, not only the first ones. */ all: boolean
  onAll: (all: boolean) => void
}

/** So many cards are shown first: two rows where they're widest. */
const FIRST = 8
export const cardGrid =
  'grid grid-cols-[repeat(2,minmax(0,1fr))] gap-2.5 md:grid-cols-[repeat(3,minmax(0,1fr))] xl:grid-cols-[repeat(4,minmax(0,1fr))]'

/** Totals, the most asked for first. */
export function Cards({ label, cards, chosen, all, onAll, ...rest }: Props) {
  const ordered = inOrder(cards)
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
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => onAll(!all)}>
          {all ? 'Show fewer figures' : `Show all ${ordered.length} figures`}
        </Button>
      ) : null}
    </>
  )
}

import { useId, type ReactNode } from 'react'
import { baseTitles } from '#contract/analytics/labels.ts'
import { figureBases, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { firstFigures, inOrder } from './cardOrder.ts'
import { FigureCard } from './FigureCard.tsx'
import { missingFrom } from './missingLines.ts'
import type { NamedChannels } from './useChannels.ts'

export type ChosenFigure = { base: FigureBase; name: FigureKey }

type Props = {
  ids: ProjectIds
  cards: readonly InsightsCard[]
  missing: readonly MissingChannels[]
  channels: NamedChannels
  range: InsightsRange
  chosen: ChosenFigure | undefined
  platform?: PlatformKey
  onChoose: (figure: ChosenFigure) => void
  /** Shows every figure, not only the first ones. */ all: boolean
  onAll: (all: boolean) => void
}

export const cardGrid =
  'grid grid-cols-[repeat(2,minmax(0,1fr))] gap-2.5 md:grid-cols-[repeat(3,minmax(0,1fr))] xl:grid-cols-[repeat(4,minmax(0,1fr))]'

/** Totals of each base in a group of its own, the most asked for first. */
export function Cards({ cards, chosen, all, onAll, ...rest }: Props) {
  const isChosen = (card: InsightsCard) => card.base === chosen?.base && card.name === chosen.name
  return (
    <>
      {figureBases.map((base) => {
        const ordered = inOrder(cards.filter((card) => card.base === base))
        const first = firstFigures[base].length
        const shown = all ? ordered : ordered.filter((card, i) => i < first || isChosen(card))
        return shown.length > 0 ? (
          <Group key={base} base={base}>
            {shown.map((card) => (
              <FigureCard
                key={card.name}
                {...rest}
                card={card}
                missing={missingFrom(rest.missing, card)}
                isChosen={isChosen(card)}
                onChoose={() => rest.onChoose({ base, name: card.name })}
              />
            ))}
          </Group>
        ) : null
      })}
      <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => onAll(!all)}>
        {all ? 'Show fewer figures' : 'Show all figures'}
      </Button>
    </>
  )
}

function Group({ base, children }: { base: FigureBase; children: ReactNode }) {
  const id = useId()
  return (
    <section className="grid gap-1.5">
      <h3 id={id} className="text-sm font-semibold">
        {baseTitles[base]}
      </h3>
      <ul aria-labelledby={id} className={cardGrid}>
        {children}
      </ul>
    </section>
  )
}

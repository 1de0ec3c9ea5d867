import { useId, type ReactNode } from 'react'
import { baseTitles } from '#contract/analytics/labels.ts'
import { figureBases, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { AfterPaint } from '#web/ui/AfterPaint.tsx'
import { cardGrid, firstFigures, inOrder } from './cardOrder.ts'
import { EmptyCards } from './CardsToCome.tsx'
import { FigureCard } from './FigureCard.tsx'
import { missingFrom } from './missingLines.ts'
import type { NamedChannels } from './useChannels.ts'
import { sparkOf } from './sparkDays.ts'
import type { Sparks } from './useSparks.ts'

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
  /** Small lines of these days. */ sparks: Sparks
  /** All figures are listed as well: a chosen one isn't added here. */ all: boolean
}

/** The headline figures of each base in a group of its own, the most asked for first. The first group is painted first. */
export function Cards({ cards, chosen, all, sparks, ...rest }: Props) {
  const isChosen = (card: InsightsCard) => card.base === chosen?.base && card.name === chosen.name
  return (
    <>
      {figureBases.map((base) => {
        const ordered = inOrder(cards.filter((card) => card.base === base))
        const first = firstFigures[base].length
        const shown = ordered.filter((card, i) => i < first || (!all && isChosen(card)))
        const list = shown.map((card) => (
          <FigureCard
            key={card.name}
            {...rest}
            card={card}
            spark={base === 'inTheseDays' ? sparkOf(card, sparks.get(card.name), rest.range) : undefined}
            missing={missingFrom(rest.missing, card)}
            isChosen={isChosen(card)}
            onChoose={() => rest.onChoose({ base, name: card.name })}
          />
        ))
        return shown.length > 0 ? (
          <Group key={base} base={base}>
            {base === figureBases[0] ? (
              list
            ) : (
              <AfterPaint fallback={<EmptyCards count={shown.length} isOnePlatform={rest.platform !== undefined} />}>
                {list}
              </AfterPaint>
            )}
          </Group>
        ) : null
      })}
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
      <ul aria-labelledby={id} className={cardGrid[base]}>
        {children}
      </ul>
    </section>
  )
}

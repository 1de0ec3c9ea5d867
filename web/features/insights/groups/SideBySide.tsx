import type { ComparedGroup } from '#contract/analytics/compared.ts'
import { figureName } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { FigureChoice } from '../FigureChoice.tsx'
import { useChosenFigure } from '../useFigures.ts'
import { sideBySide } from './groupFigures.ts'

type Props = {
  /** "campaign" or "label" */ noun: string
  groups: readonly ComparedGroup[]
  /** Those that can be drawn. */ figures: readonly FigureKey[]
}

/** One figure of all campaigns or labels as bars; which one is in the address. */
export function SideBySide({ noun, groups, figures }: Props) {
  const [wanted, choose] = useChosenFigure()
  const options: FigureKey[] = ['published', ...figures]
  const isWanted = (name: FigureKey) => wanted?.base === 'postsPublished' && wanted.name === name
  const [, first = 'published'] = options
  const name = options.find(isWanted) ?? first
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <FigureChoice
        value={{ base: 'postsPublished', name }}
        options={options.map((one) => ({ base: 'postsPublished', name: one, title: figureName(one) }))}
        onChange={choose}
        postsOnly
      />
      <ChartFigure label={`${figureName(name)} by ${noun}`} data={sideBySide(groups, name)} shape="rows" />
    </div>
  )
}

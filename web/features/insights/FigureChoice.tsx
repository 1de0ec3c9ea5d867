import { Select } from '#web/ui/Select.tsx'
import type { ChosenFigure } from './Cards.tsx'
import { Definition } from './Definition.tsx'

type Props = {
  value: ChosenFigure
  options: readonly (ChosenFigure & { /** As it's called here. */ title: string })[]
  onChange: (figure: ChosenFigure) => void
  /** Whether only posts that something chose are in it. */ postsOnly?: boolean
}

/** Chooses one figure from a list, with what it means beside it. */
export function FigureChoice({ value, options, onChange, postsOnly = false }: Props) {
  const title = options.find((one) => one.base === value.base && one.name === value.name)?.title
  return (
    <div className="flex items-center gap-1">
      <Select
        aria-label="Figure"
        className="min-w-0"
        value={keyOf(value)}
        options={options.map((one) => ({ value: keyOf(one), label: one.title }))}
        onChange={(event) => {
          const chosen = options.find((one) => keyOf(one) === event.target.value)
          if (chosen) onChange({ base: chosen.base, name: chosen.name })
        }}
      />
      <Definition {...value} {...(title === undefined ? {} : { title })} postsOnly={postsOnly} />
    </div>
  )
}

const keyOf = ({ base, name }: ChosenFigure): string => `${base}.${name}`

import type { ReactNode } from 'react'
import { baseTitles, figureMeaning, figureName } from '#contract/analytics/labels.ts'
import { figureBases, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ReportBlock } from '#contract/reports/content.ts'
import { blockWidths } from '#contract/reports/layout.ts'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { byWords, widthWords } from '../editor/blockWords.ts'
import { useEditor } from '../editor/EditorContext.ts'
import type { BlockPart } from '../editor/reportReducer.ts'
import { fieldOf } from '../editor/problems.ts'

/** Changes of one block, and the messages at its fields. */
export function useBlock({ blockId }: Pick<ReportBlock, 'blockId'>) {
  const { dispatch, problems } = useEditor()
  return {
    set: (part: BlockPart, run?: string) =>
      dispatch({ type: 'blockChanged', blockId, part, ...(run === undefined ? {} : { run }) }),
    pause: () => dispatch({ type: 'paused' }),
    problem: (field: string) => problems.get(fieldOf(blockId, field)),
  }
}

export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-x-3 gap-y-3.5 @min-[22rem]:grid-cols-2">{children}</div>
)

export function HeadingField({ block }: { block: ReportBlock }) {
  const { set, pause, problem } = useBlock(block)
  const isCover = block.kind === 'cover'
  return (
    <Field label={isCover ? 'Title' : 'Heading'} optional error={problem('heading')}>
      <TextInput
        value={block.heading}
        placeholder={isCover ? "The report's name" : 'The usual one'}
        autoComplete="off"
        onChange={({ target }) => set({ heading: target.value }, 'heading')}
        onBlur={pause}
      />
    </Field>
  )
}

export function WidthField({ block }: { block: ReportBlock }) {
  const { set } = useBlock(block)
  return (
    <Field label="Width">
      <Select
        value={String(block.width)}
        options={blockWidths.map((width) => ({ value: String(width), label: widthWords[width] }))}
        onChange={({ target }) => {
          const width = blockWidths.find((one) => String(one) === target.value)
          if (width !== undefined) set({ width })
        }}
      />
    </Field>
  )
}

export function BaseField({ base, onChange }: { base: FigureBase; onChange: (base: FigureBase) => void }) {
  return (
    <Field label="What it covers">
      <Select
        value={base}
        options={figureBases.map((value) => ({ value, label: baseTitles[value] }))}
        onChange={({ target }) => {
          const next = figureBases.find((one) => one === target.value)
          if (next) onChange(next)
        }}
      />
    </Field>
  )
}

const byKeys = ['total', 'channel', 'platform'] as const
export type By = (typeof byKeys)[number]
export function ByField({ by, onChange }: { by: By; onChange: (by: By) => void }) {
  return (
    <Field label="Shown">
      <Select
        value={by}
        options={byKeys.map((value) => ({ value, label: byWords[value] }))}
        onChange={({ target }) => {
          const next = byKeys.find((one) => one === target.value)
          if (next) onChange(next)
        }}
      />
    </Field>
  )
}

/** One figure, with what it means below it. */
export function FigureField({
  label = 'Figure',
  value,
  offered,
  error,
  onChange,
}: {
  label?: string
  value: FigureKey
  offered: readonly FigureKey[]
  error?: string | undefined
  onChange: (name: FigureKey) => void
}) {
  return (
    <Field label={label} hint={figureMeaning(value)} error={error}>
      <Select
        value={value}
        options={offered.map((name) => ({ value: name, label: figureName(name) }))}
        onChange={({ target }) => {
          const next = offered.find((one) => one === target.value)
          if (next) onChange(next)
        }}
      />
    </Field>
  )
}

export function NumberField({
  label,
  value,
  most,
  error,
  onChange,
  onBlur,
}: {
  label: string
  value: number
  most: number
  error?: string | undefined
  onChange: (value: number) => void
  onBlur: () => void
}) {
  return (
    <Field label={label} hint={`1 to ${most}`} error={error}>
      <TextInput
        type="number"
        inputMode="numeric"
        min={1}
        max={most}
        // empty until someone types a number
        value={Number.isNaN(value) || value === 0 ? '' : value}
        onChange={({ target }) => onChange(Math.trunc(Number(target.value)))}
        onBlur={onBlur}
      />
    </Field>
  )
}

type Narrowed = Extract<ReportBlock, { channelIds: unknown }>
/** Which of the report's channels and platforms a block is about. */
export function NarrowingFields({ block }: { block: Narrowed }) {
  const { sources } = useEditor()
  const { set, problem } = useBlock(block)
  return (
    <>
      <Field label="Channels" error={problem('channelIds')}>
        <ChannelChoice
          channels={sources.channels}
          value={block.channelIds}
          onChange={(channelIds) => set({ channelIds })}
        />
      </Field>
      <PlatformsField block={block} />
    </>
  )
}

export function PlatformsField({
  block,
  offered,
}: {
  block: Extract<ReportBlock, { platforms: unknown }>
  offered?: readonly PlatformKey[]
}) {
  const { sources } = useEditor()
  const { set } = useBlock(block)
  const platforms = offered ?? sources.platforms
  if (platforms.length < 2 && block.platforms === null) return null
  return (
    <div className="grid content-start justify-items-start gap-1.5">
      <span className="text-sm font-semibold">Platforms</span>
      <FilterChoice
        name="Platforms"
        chosen={block.platforms ?? undefined}
        onChange={(next) => set({ platforms: next ?? null })}
        options={platforms.map((one) => ({
          value: one,
          name: platformName(one),
          label: (
            <span className="flex items-center gap-2">
              <PlatformIcon platform={one} size={16} named />
              {platformName(one)}
            </span>
          ),
        }))}
      />
    </div>
  )
}

import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { HASHTAG } from '#contract/analytics/filter.ts'
import { postFilters } from '#contract/postLists.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { channelOptions } from '#web/ui/channelOptions.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useScrollEdges } from '#web/ui/useScrollEdges.ts'
import { isFiltering, noFilters, type InsightsFilters, type WrongFilter } from './insightsSearch.ts'
import { RangeFilter, wrongClass } from './RangeFilter.tsx'
import type { Narrowing } from './sections.ts'

type Props = {
  value: InsightsFilters
  onChange: (change: InsightsFilters) => void
  offers: readonly Narrowing[]
  /** Offers the last calendar month instead of 7 days. */
  monthly?: boolean
  /** Only channels of this platform. */
  platform?: PlatformKey | undefined
  /** Marked, to be corrected. */
  wrong?: readonly WrongFilter['filter'][]
}

/** Days, comparison, channels, platforms, and what the posts have: a chip for each. */
export function FilterBar({ value, onChange, offers, monthly = false, platform, wrong = [] }: Props) {
  const found = useCall(postFilters, { params: useProjectIds() }, { handles: true })
  const { channels: all = [], labels = [], campaigns = [] } = found.data ?? {}
  const channels = all.filter((one) => platform === undefined || one.platformName === platform)
  const platforms = [...new Set(channels.map((channel) => channel.platformName))]
  const view = useRef<HTMLDivElement>(null)
  const more = useScrollEdges(view)
  return (
    // on a phone a row that fades out where there's more, else part of the page's own row, which wraps
    <div
      ref={view}
      className={clsx(
        'no-scrollbar min-w-0 overflow-x-auto py-1 md:contents',
        more.before && 'fade-before',
        more.after && 'fade-after',
      )}
    >
      <div className="flex w-max items-center gap-1.5 md:contents">
        {offers.includes('days') ? (
          <RangeFilter
            value={value}
            onChange={onChange}
            monthly={monthly}
            compares={offers.includes('compare')}
            wrong={wrong}
          />
        ) : null}
        {offers.includes('channels') ? (
          <FilterChoice
            name="Channels"
            chosen={value.channelIds}
            onChange={(channelIds) => onChange({ channelIds })}
            options={channelOptions(channels, all)}
          />
        ) : null}
        {offers.includes('platforms') && (platforms.length > 1 || value.platforms?.length) ? (
          <FilterChoice
            name="Platform"
            chosen={value.platforms}
            onChange={(next) => onChange({ platforms: next })}
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
        ) : null}
        {offers.includes('posts') ? (
          <>
            <OneOf
              name="Campaign"
              chosen={value.campaignId}
              onChange={(campaignId) => onChange({ campaignId })}
              options={campaigns.map(({ campaignId, name }) => ({ value: campaignId, name, label: name }))}
            />
            <OneOf
              name="Label"
              chosen={value.labelId}
              onChange={(labelId) => onChange({ labelId })}
              options={labels.map(({ labelId, labelName, color }) => ({
                value: labelId,
                name: labelName,
                label: (
                  <span className="flex min-w-0 items-center gap-2">
                    <LabelDot color={color} />
                    <span dir="auto" className="truncate">
                      {labelName}
                    </span>
                  </span>
                ),
              }))}
            />
            <HashtagFilter
              value={value.hashtag}
              isWrong={wrong.includes('hashtag')}
              onChange={(hashtag) => onChange({ hashtag })}
            />
          </>
        ) : null}
        {isFiltering(value) ? (
          <Button size="s" tone="quiet" onClick={() => onChange(noFilters)}>
            Clear
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** Its room before it's drawn, of one row. */
export const FiltersToCome = () => <div className="h-7 max-md:my-1 pointer-coarse:h-9" />

type OneOfProps = {
  name: string
  chosen: string | undefined
  onChange: (chosen: string | undefined) => void
  options: Parameters<typeof FilterChoice<string>>[0]['options']
}

/** Like FilterChoice, for at most one. Hidden if there's nothing to choose. */
function OneOf({ name, chosen, onChange, options }: OneOfProps) {
  if (options.length === 0 && chosen === undefined) return null
  return (
    <FilterChoice
      name={name}
      chosen={chosen === undefined ? undefined : [chosen]}
      onChange={(next) => onChange(next?.find((one) => one !== chosen))}
      options={options}
    />
  )
}

/** Posts with this hashtag in their text. */
function HashtagFilter({
  value,
  isWrong,
  onChange,
}: {
  value: string | undefined
  isWrong: boolean
  onChange: (hashtag: string | undefined) => void
}) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState(value ?? '')
  const [wrong, setWrong] = useState(false)
  const apply = () => {
    const tag = text.trim().replace(/^#/, '')
    if (tag !== '' && !HASHTAG.test(tag)) return setWrong(true)
    onChange(tag || undefined)
    setOpen(false)
  }
  return (
    <Popover
      label="Filter by hashtag"
      className="w-68"
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setText(value ?? '')
        setWrong(isWrong)
      }}
      trigger={
        <FilterChip on={value !== undefined} opens className={isWrong ? wrongClass : ''}>
          {value === undefined ? 'Hashtag' : `#${value.replace(/^#/, '')}`}
        </FilterChip>
      }
    >
      <form
        className="grid gap-2.5"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <TextInput
          aria-label="Hashtag"
          aria-invalid={wrong}
          placeholder="#winterroast"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setWrong(false)
          }}
        />
        {wrong ? (
          <p role="alert" className="text-sm text-bad">
            A hashtag has only letters, numbers and underscores.
          </p>
        ) : null}
        <span className="flex gap-2">
          <Button size="s" type="submit">
            Apply
          </Button>
          {value === undefined ? null : (
            <Button
              size="s"
              tone="quiet"
              onClick={() => {
                onChange(undefined)
                setOpen(false)
              }}
            >
              Remove
            </Button>
          )}
        </span>
      </form>
    </Popover>
  )
}

import type { ReactNode } from 'react'
import { postFilters } from '#contract/posts.ts'
import type { PostState } from '#contract/postStates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { postStatusLook } from '#web/ui/postStatus.ts'
import { StatusMark } from '#web/ui/StatusBadge.tsx'

/** As they stand in the address; an absent one filters nothing. */
export type PostFilterValue = { status?: PostState[] | undefined; channelIds?: string[] | undefined; userIds?: string[] | undefined }

type Props = { value: PostFilterValue; onChange: (value: PostFilterValue) => void; /** The states that can be chosen here; none hides the filter. */ statuses: readonly PostState[] }

/** Channels, states and authors, each a chip that opens its list. */
export function PostFilters({ value, onChange, statuses }: Props) {
  const found = useCall(postFilters, { params: useProjectIds() })
  const { channels = [], authors = [] } = found.data ?? {}
  const filtering = Boolean(value.channelIds?.length || value.status?.length || value.userIds?.length)
  return (
    <>
      <Choice
        name="Channels"
        chosen={value.channelIds}
        onChange={(channelIds) => onChange({ ...value, channelIds })}
        options={channels.map((channel) => ({
          value: channel.channelId,
          name: channel.channelName,
          label: (
            <span className="flex min-w-0 items-center gap-2">
              <PlatformIcon platform={channel.platformName} size={16} />
              <span className="max-w-[60%] shrink-0 truncate">{channel.channelName}</span>
              <span className="truncate text-sm text-ink-muted">{channel.handle}</span>
            </span>
          ),
        }))}
      />
      {statuses.length > 0 ? (
        <Choice
          name="Status"
          chosen={value.status}
          onChange={(status) => onChange({ ...value, status })}
          options={statuses.map((status) => ({
            value: status,
            name: postStatusLook[status].word,
            label: (
              <span className="flex items-center gap-2">
                <span aria-hidden className="contents">
                  <StatusMark status={status} />
                </span>
                {postStatusLook[status].word}
              </span>
            ),
          }))}
        />
      ) : null}
      {authors.length > 1 || value.userIds?.length ? <Choice name="Author" chosen={value.userIds} onChange={(userIds) => onChange({ ...value, userIds })} options={authors.map((author) => ({ value: author.userId, name: author.name, label: author.name }))} /> : null}
      {filtering ? (
        <Button size="s" tone="quiet" onClick={() => onChange({})}>
          Clear
        </Button>
      ) : null}
    </>
  )
}

type ChoiceProps<V extends string> = { name: string; chosen: readonly V[] | undefined; onChange: (chosen: V[] | undefined) => void; options: readonly { value: V; name: string; label: ReactNode }[] }

function Choice<V extends string>({ name, chosen = [], onChange, options }: ChoiceProps<V>) {
  const on = chosen.length > 0
  const only = chosen.length === 1 ? options.find((option) => option.value === chosen[0])?.name : undefined
  const toggle = (value: V, checked: boolean) => {
    const next = options.map((option) => option.value).filter((one) => (one === value ? checked : chosen.includes(one)))
    onChange(next.length > 0 ? next : undefined)
  }
  return (
    <Popover
      label={`Filter by ${name.toLowerCase()}`}
      className="w-68"
      trigger={
        <FilterChip on={on} opens>
          {on ? `${name}: ${only ?? `${chosen.length} of ${options.length}`}` : name}
        </FilterChip>
      }
    >
      {options.length === 0 ? (
        <p className="text-ink-muted">There is nothing to choose from yet.</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          {options.map((option) => (
            <li key={option.value}>
              <Checkbox label={option.label} checked={chosen.includes(option.value)} onChange={(event) => toggle(option.value, event.target.checked)} />
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}

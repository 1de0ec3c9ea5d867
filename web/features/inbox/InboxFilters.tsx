import type { ReactNode } from 'react'
import { conversationKinds, conversationStatuses, sentiments } from '#contract/inbox/terms.ts'
import type { inboxChannels } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { addDays, wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { channelOptions } from '#web/ui/channelOptions.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DayRange } from '#web/ui/DayRange.tsx'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { inkTone } from '#web/ui/tones.ts'
import {
  fixesAssignee,
  fixesStatus,
  fixesUnread,
  isFiltering,
  noFilters,
  type InboxFilters as Filters,
} from './inboxSearch.ts'
import type { InboxView } from './inboxViews.ts'
import { kindLook, sentimentLook, statusLook } from './look.ts'
import { useChoices, useMayManageLabels } from './useChoices.ts'

type Props = {
  view: InboxView
  value: Filters
  /** What changed; an undefined part is taken off. */
  onChange: (change: Filters) => void
  channels: ReplyOf<typeof inboxChannels>['channels']
  /** Opens the labels of the project. */
  onManageLabels: () => void
}

const row = 'flex min-w-0 items-center gap-2'
const answers = [
  { value: 'yes', name: 'Replied to' },
  { value: 'no', name: 'Not replied to' },
] as const

/** What the list is narrowed by, each a chip that opens its choices. What the view decides isn't offered. */
export function InboxFilters({ view, value, onChange, channels, onManageLabels }: Props) {
  const { people, labels } = useChoices()
  const mayManageLabels = useMayManageLabels()
  const platforms = [...new Set(channels.map((channel) => channel.platformName))]
  return (
    <>
      <FilterChoice
        name="Channels"
        chosen={value.channelIds}
        onChange={(channelIds) => onChange({ channelIds })}
        options={channelOptions(channels)}
      />
      {platforms.length > 1 || value.platforms?.length ? (
        <FilterChoice
          name="Platform"
          chosen={value.platforms}
          onChange={(next) => onChange({ platforms: next })}
          options={platforms.map((platform) => ({
            value: platform,
            name: platformName(platform),
            label: (
              <span className={row}>
                <PlatformIcon platform={platform} size={16} named />
                {platformName(platform)}
              </span>
            ),
          }))}
        />
      ) : null}
      <FilterChoice
        name="Type"
        chosen={value.kinds}
        onChange={(kinds) => onChange({ kinds })}
        options={conversationKinds.map((kind) => {
          const { many, icon: Icon } = kindLook[kind]
          return { value: kind, name: many, label: <WithIcon icon={<Icon size={14} aria-hidden />}>{many}</WithIcon> }
        })}
      />
      {fixesStatus(view, value.q) ? null : (
        <FilterChoice
          name="Status"
          chosen={value.status}
          onChange={(status) => onChange({ status })}
          options={conversationStatuses.map((status) => {
            const { word, tone, icon: Icon } = statusLook[status]
            const icon = <Icon size={14} aria-hidden className={inkTone[tone]} />
            return { value: status, name: word, label: <WithIcon icon={icon}>{word}</WithIcon> }
          })}
        />
      )}
      {fixesAssignee(view) ? null : (
        <FilterChoice
          name="Assignee"
          chosen={value.assignees}
          onChange={(assignees) => onChange({ assignees })}
          options={[
            { value: 'nobody', name: 'Nobody', label: 'Nobody' },
            ...people.map(({ userId, name, profileUrl, isYou }) => ({
              value: isYou ? 'me' : userId,
              name: isYou ? 'You' : name,
              label: (
                <WithIcon icon={<Avatar name={name} src={profileUrl} size={18} />}>
                  {isYou ? `${name} (you)` : name}
                </WithIcon>
              ),
            })),
          ]}
        />
      )}
      {labels.length > 0 || mayManageLabels ? (
        <FilterChoice
          name="Label"
          chosen={value.labels}
          onChange={(next) => onChange({ labels: next })}
          after={
            mayManageLabels ? (
              <Button size="s" tone="quiet" className="justify-self-start" onClick={onManageLabels}>
                Manage labels
              </Button>
            ) : null
          }
          options={labels.map(({ labelId, labelName, color, state }) => ({
            value: labelId,
            name: labelName,
            label: (
              <span className={row}>
                <LabelDot color={color} />
                <span dir="auto" className="truncate">
                  {labelName}
                </span>
                {state === 'ARCHIVED' ? <span className="shrink-0 text-sm text-ink-muted">archived</span> : null}
              </span>
            ),
          }))}
        />
      ) : null}
      <FilterChoice
        name="Sentiment"
        chosen={value.sentiments}
        onChange={(next) => onChange({ sentiments: next })}
        options={([...sentiments, 'unknown'] as const).map((sentiment) => {
          const { word, tone, icon: Icon } = sentimentLook[sentiment]
          const icon = <Icon size={14} aria-hidden className={inkTone[tone]} />
          return { value: sentiment, name: word, label: <WithIcon icon={icon}>{word}</WithIcon> }
        })}
      />
      <FilterChoice
        name="Replies"
        chosen={value.answered ? [value.answered] : undefined}
        // both of them are everything
        onChange={(next) => onChange({ answered: next?.length === 1 ? next[0] : undefined })}
        options={answers.map((one) => ({ ...one, label: one.name }))}
      />
      <Dates value={value} onChange={onChange} />
      {fixesUnread(view) ? null : (
        <FilterChip on={value.unread === 'yes'} onClick={() => onChange({ unread: value.unread ? undefined : 'yes' })}>
          Unread
        </FilterChip>
      )}
      {value.about ? (
        <FilterChip on onClick={() => onChange({ about: undefined })}>
          About one post
        </FilterChip>
      ) : null}
      {isFiltering(value) ? (
        <Button size="s" tone="quiet" onClick={() => onChange(noFilters)}>
          Clear
        </Button>
      ) : null}
    </>
  )
}

function WithIcon({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className={row}>
      <span className="grid w-4.5 shrink-0 place-items-center">{icon}</span>
      <span dir="auto" className="truncate">
        {children}
      </span>
    </span>
  )
}

/** Ranges that are asked for most, in days before today. */
const presets = [
  { name: 'Today', days: 0 },
  { name: 'Last 7 days', days: 6 },
  { name: 'Last 30 days', days: 29 },
] as const

/** When the last item was written. */
function Dates({ value: { from, to }, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const today = wallOf(useNow(), useProjectZone()).day
  return (
    <DayRange value={{ from, to }} onChange={onChange}>
      <div role="group" aria-label="Ranges" className="flex flex-wrap gap-1.5">
        {presets.map(({ name, days }) => {
          const range = { from: addDays(today, -days), to: today }
          const on = from === range.from && to === range.to
          return (
            <FilterChip key={name} on={on} onClick={() => onChange(on ? { from: undefined, to: undefined } : range)}>
              {name}
            </FilterChip>
          )
        })}
      </div>
    </DayRange>
  )
}

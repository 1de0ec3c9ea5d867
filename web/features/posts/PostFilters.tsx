import { postFilters } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { channelOptions } from '#web/ui/channelOptions.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { postStatusLook } from '#web/ui/postStatus.ts'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { isFiltering, noFilters, type PostFilterValue } from './filterQuery.ts'

type Props = {
  value: PostFilterValue
  /** What changed; an undefined part is removed. */
  onChange: (change: PostFilterValue) => void
  /** The statuses that can be chosen here; fewer than two hide the filter. */
  statuses: readonly PostState[]
  /** Opens the labels of the project. */
  onManageLabels: () => void
}

const matches = [
  { value: 'any', label: 'Any of them' },
  { value: 'all', label: 'All of them' },
] as const
const archived = (state: 'ACTIVE' | 'ARCHIVED') =>
  state === 'ARCHIVED' ? <span className="shrink-0 text-sm text-ink-muted">archived</span> : null

/** Channels, platforms, statuses, labels, campaigns and authors, each a chip that opens its list. */
export function PostFilters({ value, onChange, statuses, onManageLabels }: Props) {
  const found = useCall(postFilters, { params: useProjectIds() })
  const { channels = [], authors = [], labels = [], campaigns = [] } = found.data ?? {}
  const platforms = [...new Set(channels.map((channel) => channel.platformName))]
  return (
    <>
      <SearchBox
        label="Search posts"
        value={value.q ?? ''}
        onSearch={(words) => onChange({ q: words || undefined })}
        className="w-44 shrink-0"
      />
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
              <span className="flex items-center gap-2">
                <PlatformIcon platform={platform} size={16} />
                {platformName(platform)}
              </span>
            ),
          }))}
        />
      ) : null}
      {statuses.length > 1 ? (
        <FilterChoice
          name="Status"
          chosen={value.status}
          onChange={(status) => onChange({ status })}
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
      <FilterChoice
        name="Label"
        chosen={value.labels}
        onChange={(next) => onChange({ labels: next, ...(next && next.length > 1 ? {} : { labelMatch: undefined }) })}
        before={
          (value.labels?.length ?? 0) > 1 ? (
            <Segmented
              label="Posts with"
              options={matches}
              value={value.labelMatch ?? 'any'}
              onChange={(match) => onChange({ labelMatch: match === 'all' ? 'all' : undefined })}
            />
          ) : null
        }
        after={
          <Button size="s" tone="quiet" className="justify-self-start" onClick={onManageLabels}>
            Manage labels
          </Button>
        }
        options={labels.map((label) => ({
          value: label.labelId,
          name: label.labelName,
          label: (
            <span className="flex min-w-0 items-center gap-2">
              <LabelDot color={label.color} />
              <span dir="auto" className="truncate">
                {label.labelName}
              </span>
              {archived(label.state)}
            </span>
          ),
        }))}
      />
      {campaigns.length > 0 || value.campaigns?.length ? (
        <FilterChoice
          name="Campaign"
          chosen={value.campaigns}
          onChange={(next) => onChange({ campaigns: next })}
          options={campaigns.map((campaign) => ({
            value: campaign.campaignId,
            name: campaign.name,
            label: (
              <span className="flex min-w-0 items-center gap-2">
                <span dir="auto" className="truncate">
                  {campaign.name}
                </span>
                {archived(campaign.state)}
              </span>
            ),
          }))}
        />
      ) : null}
      {authors.length > 1 || value.userIds?.length ? (
        <FilterChoice
          name="Author"
          chosen={value.userIds}
          onChange={(userIds) => onChange({ userIds })}
          options={authors.map((author) => ({ value: author.userId, name: author.name, label: author.name }))}
        />
      ) : null}
      {isFiltering(value) ? (
        <Button size="s" tone="quiet" onClick={() => onChange(noFilters)}>
          Clear
        </Button>
      ) : null}
    </>
  )
}

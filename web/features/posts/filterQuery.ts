import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostState } from '#contract/postStates.ts'

/** As in the URL; an absent one filters nothing. */
export type PostFilterValue = {
  status?: PostState[] | undefined
  channelIds?: string[] | undefined
  userIds?: string[] | undefined
  platforms?: PlatformKey[] | undefined
  labels?: string[] | undefined
  labelMatch?: 'all' | undefined
  campaigns?: string[] | undefined
  /** The search text. */
  q?: string | undefined
}

/** Every filter off, to remove them from a URL. */
export const noFilters = {
  status: undefined,
  channelIds: undefined,
  userIds: undefined,
  platforms: undefined,
  labels: undefined,
  labelMatch: undefined,
  campaigns: undefined,
  q: undefined,
} as const satisfies PostFilterValue

export function isFiltering({ labelMatch: _how, ...lists }: PostFilterValue): boolean {
  return Object.values(lists).some((list) => Boolean(list?.length))
}

/** A URL's filters by their names in the API; each screen adds its own statuses. */
export function filterQuery({ channelIds, userIds, platforms, labels, labelMatch, campaigns, q }: PostFilterValue) {
  return {
    ...(q ? { q } : {}),
    ...(channelIds?.length ? { channelId: channelIds } : {}),
    ...(userIds?.length ? { author: userIds } : {}),
    ...(platforms?.length ? { platform: platforms } : {}),
    ...(labels?.length ? { labels, ...(labelMatch ? { labelMatch } : {}) } : {}),
    ...(campaigns?.length ? { campaign: campaigns } : {}),
  }
}

/** Only a URL's filters. */
export function filtersOf(search: PostFilterValue): PostFilterValue {
  const { status, channelIds, userIds, platforms, labels, labelMatch, campaigns, q } = search
  return { status, channelIds, userIds, platforms, labels, labelMatch, campaigns, q }
}

import { Id } from '#contract/common.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { InsightsFilters } from './insightsSearch.ts'

/** What a section can be narrowed down by. */
export type Narrowing = 'days' | 'compare' | 'channels' | 'platforms' | 'posts'

/** A section without a subject of its own, by its key in addresses. */
type Single = {
  title: string
  /** Its name in the navigation of the insights. */
  label: string
  offers: readonly Narrowing[]
  /** Doesn't offer 7 days, and has 30 days if the address names none. */
  monthly?: true
  /** Every plan has it, for the last 7 days. */
  free?: true
}

/** In the order of the navigation. */
export const singles = {
  insights: { title: 'Insights Hub', label: 'Hub', offers: ['days', 'compare', 'channels', 'platforms', 'posts'] },
  'post-table': {
    title: 'Post Table',
    label: 'Posts',
    offers: ['days', 'channels', 'platforms', 'posts'],
    free: true,
  },
  campaign: {
    title: 'Campaign Insights',
    label: 'Campaigns',
    offers: ['days', 'compare', 'channels', 'platforms'],
    monthly: true,
  },
  benchmarking: {
    title: 'Benchmarking',
    label: 'Benchmarking',
    offers: ['days', 'compare', 'channels', 'platforms'],
  },
  profile: { title: 'Profile Insights', label: 'Profile', offers: ['days', 'compare'] },
  'competitor-analysis': {
    title: 'Competitor Analysis',
    label: 'Competitors',
    offers: ['days', 'compare', 'channels', 'platforms'],
  },
  'brand-spotlight': {
    title: 'Brand Spotlight',
    label: 'Brand',
    offers: ['days', 'compare', 'channels', 'platforms'],
  },
  'ai-analysis': {
    title: 'AI Analysis',
    label: 'AI Analysis',
    offers: ['days', 'compare', 'channels', 'platforms', 'posts'],
  },
  'report-builder': { title: 'Report Builder', label: 'Reports', offers: [] },
} as const satisfies Record<string, Single>
export type SingleKey = keyof typeof singles

/** The sections of the insights, as addresses name them. */
export type Section =
  | { key: Exclude<SingleKey, 'profile'> }
  /** Of one channel; without its ID, of the first one. */
  | { key: 'profile'; channelId?: string }
  | { key: 'platform'; platform: PlatformKey }
  | { key: 'post'; postId: string }

const isSingle = (key: string): key is SingleKey => Object.hasOwn(singles, key)

/** The section of an address, such as `insights` or `platform/instagram`; undefined if there's none. */
export function sectionOf(path: string): Section | undefined {
  const [key = '', subject, ...more] = path.split('/')
  if (more.length > 0) return undefined
  if (key === 'platform') {
    const known = PlatformKey.safeParse(subject)
    return known.success ? { key, platform: known.data } : undefined
  }
  if (key === 'post') {
    const known = Id.safeParse(subject)
    return known.success ? { key, postId: known.data } : undefined
  }
  if (key === 'profile' && subject !== undefined) {
    const known = Id.safeParse(subject)
    return known.success ? { key, channelId: known.data } : undefined
  }
  return isSingle(key) && subject === undefined ? { key } : undefined
}

const singleOf = (section: Section): Single | undefined =>
  section.key === 'platform' || section.key === 'post' ? undefined : singles[section.key]

/** Its address below `insights/`. */
export function pathOf(section: Section): string {
  if (section.key === 'platform') return `platform/${section.platform}`
  if (section.key === 'post') return `post/${section.postId}`
  return section.key === 'profile' && section.channelId !== undefined ? `profile/${section.channelId}` : section.key
}

export const sectionTitle = (section: Section): string =>
  section.key === 'platform'
    ? `${platformName(section.platform)} Insights`
    : section.key === 'post'
      ? 'Post Insights'
      : singles[section.key].title

/** What narrows the section down; one post isn't narrowed down. */
export const offersOf = (section: Section): readonly Narrowing[] =>
  section.key === 'platform' ? ['days', 'compare', 'channels', 'posts'] : (singleOf(section)?.offers ?? [])

/** Whether plans without analytics have it. */
export const isFree = (section: Section): boolean => singleOf(section)?.free === true

export const isMonthly = (section: Section): boolean => singleOf(section)?.monthly === true

/**
 * The filters of an address that hold in a section: its own days if the address names none, and only what can be narrowed down
 * there. The others stay in the address for the sections that offer them.
 */
export function filtersIn(section: Section, filters: InsightsFilters): InsightsFilters {
  const offers = offersOf(section)
  return {
    ...filters,
    ...(filters.range === undefined && isMonthly(section) ? { range: '30' } : {}),
    ...(offers.includes('channels') ? {} : { channelIds: undefined }),
    ...(offers.includes('platforms') ? {} : { platforms: undefined }),
    ...(offers.includes('posts') ? {} : { campaignId: undefined, labelId: undefined, hashtag: undefined }),
  }
}

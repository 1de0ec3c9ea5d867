import { useIsFetching } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { plan } from '#contract/organizations.ts'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { FilterBar, FiltersToCome } from '#web/features/insights/FilterBar.tsx'
import { filtersOf, queryOf, wrongFilters } from '#web/features/insights/insightsSearch.ts'
import { SectionNav, SectionsToCome } from '#web/features/insights/SectionNav.tsx'
import {
  filtersIn,
  isFree,
  isMonthly,
  offersOf,
  sectionOf,
  sectionTitle,
  type Section,
  type SingleKey,
} from '#web/features/insights/sections.ts'
import { thisWeek } from '#web/features/insights/thisWeek.ts'
import { WithChannels } from '#web/features/insights/WithChannels.tsx'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useToday } from '#web/features/insights/useToday.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AfterPaint } from '#web/ui/AfterPaint.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkipLink } from '#web/ui/SkipLink.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { HubSection } from './insights/HubSection.tsx'
import { Upgrade } from './insights/Upgrade.tsx'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

// the hub comes with the frame; what is opened from it is loaded then
const Collecting = lazy(() => import('#web/features/insights/Collecting.tsx'))
const BenchmarkingSection = lazy(() => import('./insights/BenchmarkingSection.tsx'))
const CampaignSection = lazy(() => import('./insights/CampaignSection.tsx'))
const Goals = lazy(() => import('#web/features/insights/goals/Goals.tsx'))
const WhatWorked = lazy(() => import('#web/features/insights/worked/WhatWorked.tsx'))
const BrandSection = lazy(() => import('./insights/BrandSection.tsx'))
const CompetitorSection = lazy(() => import('./insights/CompetitorSection.tsx'))
const PlatformSection = lazy(() => import('./insights/PlatformSection.tsx'))
const PostSection = lazy(() => import('./insights/PostSection.tsx'))
const ProfileSection = lazy(() => import('./insights/ProfileSection.tsx'))

const screens: Record<SingleKey, ComponentType<{ isLimited: boolean }>> = {
  insights: HubSection,
  'post-table': lazy(() => import('./insights/PostTableSection.tsx')),
  campaign: CampaignSection,
  benchmarking: BenchmarkingSection,
  profile: ProfileSection,
  'competitor-analysis': CompetitorSection,
  'brand-spotlight': BrandSection,
  'ai-analysis': lazy(() => import('./insights/AiAnalysisSection.tsx')),
  'report-builder': lazy(() => import('./insights/ReportsSection.tsx')),
}

/** One section of the insights: which one, its days and its filters are in the address. */
export default function InsightsScreen() {
  const ids = useProjectIds()
  const { _splat: path = 'insights' } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const section = sectionOf(path || 'insights')
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const isClosed = facts.data?.closed.includes('analytics') ?? false
  const channels = useChannels(ids)
  const today = useToday()
  const platforms = [...new Set([...channels.values()].map(({ platformName }) => platformName))].filter(
    (platform) => platformFigures[platform].post.length + platformFigures[platform].channel.length > 0,
  )
  if (!section)
    return (
      <Page title="Insights">
        <ErrorState title="Not found" error={{ detail: "This section doesn't exist." }} />
      </Page>
    )
  const platform = section.key === 'platform' ? section.platform : undefined
  const filters = filtersOf(search)
  const own = filtersIn(section, filters)
  const wrong = wrongFilters(isClosed ? thisWeek(own) : own, today)
  const offers = offersOf(section).filter((one) => !isClosed || (one !== 'days' && one !== 'compare'))
  if (isClosed && !isFree(section)) return <Upgrade title={sectionTitle(section)} />
  return (
    <Page
      title={sectionTitle(section)}
      // the post table has use for any width; what is in the header stays where it is
      measured={section.key === 'post-table' ? 'header' : true}
      controls={<SkipLink to="figures">Skip to figures</SkipLink>}
      bar={
        offers.length === 0 ? null : (
          <AfterPaint fallback={<FiltersToCome />}>
            <FilterBar
              value={own}
              onChange={(change) =>
                void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
              }
              offers={offers}
              monthly={isMonthly(section)}
              platform={platform}
              wrong={wrong.map(({ filter }) => filter)}
            />
          </AfterPaint>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isClosed ? (
          <GateNotice gate="analytics" more="Your plan has the posts of the last 7 days." />
        ) : (
          <AfterPaint fallback={<SectionsToCome />}>
            <SectionNav ids={ids} section={section} filters={filters} platforms={platforms} />
          </AfterPaint>
        )}
        <div id="figures" tabIndex={-1} className="grid scroll-mt-4 grid-cols-[minmax(0,1fr)] gap-5 outline-none">
          <WithChannels
            platform={platform}
            query={queryOf(filters, today)}
            isNeeded={facts.data !== undefined && !isClosed && wrong.length === 0 && needsChannels(section)}
          >
            {wrong.length > 0 ? (
              <ErrorState
                title="Change the filters above"
                error={{ detail: wrong.map(({ text }) => text).join(' ') }}
              />
            ) : (
              <Later>{facts.isPending ? <CardsToCome /> : sectionFor(section, isClosed)}</Later>
            )}
            {facts.isPending || isClosed ? null : (
              <Rest key={section.key}>
                {wrong.length > 0 || !isWhole(section) ? null : (
                  <Contained fallback={<ErrorState />}>
                    <WhatWorked query={queryOf(platform ? { ...filters, platforms: [platform] } : filters, today)} />
                  </Contained>
                )}
                {section.key === 'insights' ? (
                  <Contained fallback={<ErrorState />}>
                    <Goals />
                  </Contained>
                ) : null}
                {showsReadings(section) ? (
                  <Contained fallback={null}>
                    <Collecting
                      {...(platform ? { platform } : {})}
                      {...(section.key === 'profile' && section.channelId ? { channelId: section.channelId } : {})}
                    />
                  </Contained>
                ) : null}
              </Rest>
            )}
          </WithChannels>
        </div>
      </div>
    </Page>
  )
}

/** Whether it's about all channels, or all of a platform. */
const isWhole = ({ key }: Section): boolean => key === 'insights' || key === 'platform'

/** Competitors are read on their own, a post has its own page, and reports are there without any channel. */
const needsChannels = ({ key }: Section): boolean =>
  key !== 'competitor-analysis' && key !== 'post' && key !== 'report-builder'

/** Sections that are about channels and their readings: what is still to come of them is said there. */
const showsReadings = (section: Section): boolean =>
  section.key === 'insights' ||
  section.key === 'platform' ||
  (section.key === 'profile' && section.channelId !== undefined)

function sectionFor(section: Section, isLimited: boolean): ReactNode {
  if (section.key === 'platform') return <PlatformSection key={section.platform} platform={section.platform} />
  if (section.key === 'post') return <PostSection key={section.postId} postId={section.postId} />
  const Single = screens[section.key]
  return <Single isLimited={isLimited} />
}

function Later({ children }: { children: ReactNode }) {
  return (
    <Contained fallback={<ErrorState />}>
      <Suspense fallback={<CardsToCome />}>{children}</Suspense>
    </Contained>
  )
}

/** What is looked at after the section's own figures: it's drawn, and asks for its own, once those have been painted. */
function Rest({ children }: { children: ReactNode }) {
  const isLoading = useIsFetching() > 0
  return <AfterPaint when={!isLoading}>{children}</AfterPaint>
}

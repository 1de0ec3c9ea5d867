import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { SideScroll } from '#web/ui/SideScroll.tsx'
import type { InsightsFilters } from './insightsSearch.ts'
import { pathOf, singles, type Section } from './sections.ts'

const look =
  '-mb-px flex h-9 shrink-0 items-center gap-1.5 rounded-t-md border-b-2 border-transparent px-2.5 font-semibold whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink'

/** The sections, and one for each platform with a connected channel. */
export function SectionNav({
  ids,
  section,
  filters,
  platforms,
}: {
  ids: ProjectIds
  section: Section
  /** They stay from one section to the next. */ filters: InsightsFilters
  platforms: readonly PlatformKey[]
}) {
  const isHere = (path: string) => path === section.key || path === pathOf(section)
  const link = (path: string, label: string, icon?: ReactNode) => (
    <Link
      key={path}
      to="/$orgId/project/$projectId/insights/$"
      params={{ ...ids, _splat: path }}
      search={filters}
      aria-current={isHere(path) ? 'page' : undefined}
      className={look}
    >
      {icon}
      {label}
    </Link>
  )
  return (
    <nav aria-label="Insights" className="min-w-0">
      <SideScroll className="gap-1 border-b border-line">
        {Object.entries(singles).map(([key, { label }]) => link(key, label))}
        {platforms.length > 0 ? <span aria-hidden className="mx-1 h-4 w-px bg-line" /> : null}
        {platforms.map((platform) =>
          link(`platform/${platform}`, platformName(platform), <PlatformIcon platform={platform} size={16} named />),
        )}
      </SideScroll>
    </nav>
  )
}

/** Its room before it's drawn. */
export const SectionsToCome = () => <div className="h-9 border-b border-line" />

import Plus from 'lucide-react/icons/plus'
import Swords from 'lucide-react/icons/swords'
import { lazy, Suspense, useEffect, useState } from 'react'
import {
  insightsCompetitors,
  removeCompetitor,
  restoreCompetitor,
  seeCompetitors,
  type ComparedAccount,
} from '#contract/analytics/competitors.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { CompetitorPosts } from '#web/features/insights/competitors/CompetitorPosts.tsx'
import { CompetitorTable } from '#web/features/insights/competitors/CompetitorTable.tsx'
import {
  comparablePlatforms,
  impossible,
  notesOf,
  tellsEngagements,
} from '#web/features/insights/competitors/competitorWords.ts'
import { FollowerLines } from '#web/features/insights/competitors/FollowerLines.tsx'
import { spanText } from '#web/features/insights/insightsSearch.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'

const AddCompetitor = lazy(() => import('#web/features/insights/competitors/AddCompetitor.tsx'))

type Reply = ReplyOf<typeof insightsCompetitors>

/** Own channels and competitors side by side, platform by platform, with what isn't possible and why. */
export default function CompetitorSection() {
  const ids = useProjectIds()
  const { query } = useFilters()
  const [isAdding, setAdding] = useState(false)
  const mayAdd = useMay([['insights', 'create']]) === 'yes'
  const found = useCall(insightsCompetitors, { params: ids, query }, { keepPrevious: true, handles: true })
  const { mutate: see } = useSend(seeCompetitors, { handles: true })
  // they're read as long as someone looks at them
  useEffect(() => see({ params: { orgId: ids.orgId, projectId: ids.projectId } }), [see, ids.orgId, ids.projectId])
  const add = mayAdd ? (
    <Button onClick={() => setAdding(true)}>
      <Plus size={15} aria-hidden />
      Add competitor
    </Button>
  ) : null
  return (
    <Loaded query={found} skeleton={<CardsToCome />}>
      {(data) => (
        <>
          {data.accounts.every(({ isOwn }) => isOwn) ? (
            <EmptyState icon={<Swords size={20} />} title="No competitors yet" action={add}>
              Add accounts on {listOf(comparablePlatforms)}, and see their followers and posts beside yours, read once a
              day.
            </EmptyState>
          ) : (
            <Compared data={data} query={query} add={add} />
          )}
          <Impossible />
          {isAdding ? (
            <Contained fallback={null}>
              <Suspense>
                <AddCompetitor connected={data.connected} onClose={() => setAdding(false)} />
              </Suspense>
            </Contained>
          ) : null}
        </>
      )}
    </Loaded>
  )
}

const listOf = (platforms: readonly PlatformKey[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(platforms.map(platformName))

function Compared({ data, query, add }: { data: Reply; query: InsightsFilter; add: React.ReactNode }) {
  const { range, accounts, posts, apart } = data
  const onRemove = useRemoval()
  const platforms = [...new Set(accounts.map(({ platformName: one }) => one))]
  return platforms.map((platform, nth) => {
    const own = accounts.filter(({ platformName: one }) => one === platform)
    const ids = new Set(own.map(({ id }) => id))
    const isApart = apart.includes(platform)
    return (
      <Panel
        key={platform}
        title={`${platformName(platform)}, ${spanText(range)}`}
        aside={nth === 0 ? add : null}
        className="gap-3!"
      >
        <CompetitorTable platform={platform} accounts={own} range={range} isApart={isApart} onRemove={onRemove} />
        <p className="text-sm text-pretty text-ink-muted">{notesOf(platform, isApart).join(' ')}</p>
        <FollowerLines platform={platform} accounts={own} query={query} />
        <h3 className="pt-1 font-bold">
          {isApart || !tellsEngagements(platform)
            ? 'Their newest posts in these days'
            : 'Their best posts published in these days'}
        </h3>
        <CompetitorPosts
          platform={platform}
          accounts={own}
          posts={posts.filter((post) => ids.has(post.competitorId))}
        />
      </Panel>
    )
  })
}

/** Removes at once, and brings back for ten seconds; undefined if the role doesn't allow it. */
function useRemoval(): ((account: ComparedAccount) => void) | undefined {
  const ids = useProjectIds()
  const may = useMay([['insights', 'delete']]) === 'yes'
  const restore = useSend(restoreCompetitor)
  const remove = useSend(removeCompetitor)
  if (!may) return undefined
  return ({ id, name }) => {
    const params = { ...ids, competitorId: id }
    remove.mutate(
      { params },
      {
        onSuccess: () => toast.undo(`${name} removed`, () => restore.mutate({ params }), { id: `competitor-${id}` }),
      },
    )
  }
}

/** Platforms whose accounts can't be compared, each with the reason. */
function Impossible() {
  return (
    <Panel title="Not on every platform">
      <ul className={`${paperClass} divide-y divide-line`}>
        {impossible.map(({ reason, platforms, why }) => (
          <li key={reason} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3.5 py-2.5">
            <span className="flex gap-1.5">
              {platforms.map((platform) => (
                <PlatformIcon key={platform} platform={platform} size={18} named />
              ))}
            </span>
            <p className="min-w-0 text-pretty text-ink-muted">{why}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

import Megaphone from 'lucide-react/icons/megaphone'
import Tag from 'lucide-react/icons/tag'
import { insightsCampaigns, insightsLabels, type ComparedGroup } from '#contract/analytics/compared.ts'
import { figureName } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { postFilters } from '#contract/postLists.ts'
import { FilteredAway } from '#web/features/insights/FilteredAway.tsx'
import { GroupChoice } from '#web/features/insights/groups/GroupChoice.tsx'
import { groupFigures, lackingNotes } from '#contract/analytics/groupWords.ts'
import { reportedIn } from '#web/features/insights/groups/groupFigures.ts'
import { GroupTable } from '#web/features/insights/groups/GroupTable.tsx'
import { SideBySide } from '#web/features/insights/groups/SideBySide.tsx'
import { useGroups, type GroupKind } from '#web/features/insights/groups/useGroups.ts'
import { spanText } from '#web/features/insights/insightsSearch.ts'
import { filtersIn } from '#web/features/insights/sections.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass, Panel } from '#web/ui/Panel.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const words = {
  campaign: {
    label: 'Campaigns',
    header: 'Campaign',
    none: 'No posts of a campaign in these days',
    several: 'A post of several campaigns counts in each of them.',
  },
  label: {
    label: 'Labels',
    header: 'Label',
    none: 'No posts with a label in these days',
    several: 'A post with several labels counts in each of them.',
  },
} as const satisfies Record<GroupKind, unknown>

/** Campaigns or labels side by side: the posts of each that were published in these days, and what they have to date. */
export default function CampaignSection() {
  const ids = useProjectIds()
  const { kind } = useGroups()
  const known = useCall(postFilters, { params: ids }, { handles: true })
  const hasNone = known.data?.[kind === 'campaign' ? 'campaigns' : 'labels'].length === 0
  return (
    <>
      <GroupChoice known={known.data} />
      {hasNone ? <NoGroups kind={kind} /> : <Groups key={kind} kind={kind} />}
    </>
  )
}

function Groups({ kind }: { kind: GroupKind }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { query } = useFilters()
  const { chosen } = useGroups()
  const compared = useCall(
    kind === 'campaign' ? insightsCampaigns : insightsLabels,
    { params: ids, query: { ...query, names: [...groupFigures], ...(chosen ? { ids: chosen } : {}) } },
    { keepPrevious: true, handles: true },
  )
  const { label, header, none, several } = words[kind]
  return (
    <Loaded
      query={compared}
      skeleton={<GroupsToCome />}
      isEmpty={({ groups }) => groups.every(({ posts, postsBefore }) => posts === 0 && !postsBefore)}
      empty={
        <FilteredAway
          icon={<GroupIcon kind={kind} />}
          title={none}
          text="Only posts that were published in these days are compared."
        />
      }
    >
      {({ groups, range, asOf }) => {
        const { reported, unreported } = reportedIn(groups)
        return (
          <>
            <Panel title={spanText(range)} aside={asOf ? <AsOf at={asOf} zone={zone} /> : null}>
              <p className="text-pretty text-ink-muted">
                Posts published in these days, with their figures to date. {several}
              </p>
              <GroupTable
                label={label}
                header={header}
                groups={groups}
                figures={reported}
                range={range}
                postsOf={(group, text) => <Posts kind={kind} group={group} text={text} />}
                nameOf={(group) => (kind === 'campaign' ? <CampaignName campaign={group} /> : group.name)}
              />
              <Missing groups={groups} reported={reported} unreported={unreported.map(figureName)} />
            </Panel>
            <Panel title="Side by side">
              <div className={`${paperClass} px-3.5 py-3`}>
                <SideBySide noun={kind} groups={groups} figures={reported} />
              </div>
            </Panel>
          </>
        )
      }}
    </Loaded>
  )
}

const GroupIcon = ({ kind }: { kind: GroupKind }) => (kind === 'campaign' ? <Megaphone size={20} /> : <Tag size={20} />)

function CampaignName({ campaign: { id, name } }: { campaign: ComparedGroup }) {
  const ids = useProjectIds()
  const mayOpen = useMay([['campaign', 'view']]) === 'yes'
  return mayOpen ? (
    <Link
      to="/$orgId/project/$projectId/campaigns/$campaignId"
      params={{ ...ids, campaignId: id }}
      className="touch-area"
    >
      {name}
    </Link>
  ) : (
    name
  )
}

/** Leads to the posts of these days in the post table. */
function Posts({ kind, group: { id, name }, text }: { kind: GroupKind; group: ComparedGroup; text: string }) {
  const ids = useProjectIds()
  const { filters } = useFilters()
  const days = filtersIn({ key: 'campaign' }, filters)
  return (
    <Link
      to="/$orgId/project/$projectId/insights/$"
      params={{ ...ids, _splat: 'post-table' }}
      search={{ ...days, ...(kind === 'campaign' ? { campaignId: id } : { labelId: id }) }}
      className="touch-area"
    >
      {text}
      <span className="sr-only"> posts of {name}</span>
    </Link>
  )
}

/** What none of the groups has, and what a dash in the table means. */
function Missing({
  groups,
  reported,
  unreported,
}: {
  groups: readonly ComparedGroup[]
  reported: readonly FigureKey[]
  unreported: readonly string[]
}) {
  const apart = unreported.length > 0 ? [`Not reported for any of these posts: ${listed(unreported)}.`] : []
  const isIncomplete = groups.some((group) => reportedIn([group]).unreported.length > unreported.length)
  const dash = isIncomplete ? ['A dash means that no post has the figure.'] : []
  const text = [...dash, ...apart]
  const notes = lackingNotes(groups, reported)
  return (
    <>
      {text.length > 0 ? <p className="text-sm text-pretty text-ink-muted">{text.join(' ')}</p> : null}
      {notes.length > 0 ? (
        <section aria-label="What platforms don't report" className="grid gap-1 text-sm text-pretty text-ink-muted">
          <p>Totals only have what each platform reports of posts:</p>
          <ul className="grid list-disc gap-0.5 pl-5">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

/** "saves and clicks" */
const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names.map((name) => name.toLowerCase()))

function NoGroups({ kind }: { kind: GroupKind }) {
  const ids = useProjectIds()
  return kind === 'campaign' ? (
    <EmptyState
      icon={<GroupIcon kind={kind} />}
      title="No campaigns yet"
      action={
        <ButtonLink to="/$orgId/project/$projectId/campaigns" params={ids}>
          Go to campaigns
        </ButtonLink>
      }
    >
      A campaign groups posts across channels. Here you see how campaigns did, side by side.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<GroupIcon kind={kind} />}
      title="No labels yet"
      action={
        <ButtonLink to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'posts' }}>
          Go to posts
        </ButtonLink>
      }
    >
      Labels say what posts are about, and you add them to posts. Here you see how labels did, side by side.
    </EmptyState>
  )
}

/** The table and the chart while they load, in their own size. */
function GroupsToCome() {
  return (
    <Skeletons label="Loading figures" className="grid gap-5">
      <Skeleton className="h-68 rounded-lg" />
      <Skeleton className="h-55 rounded-lg" />
    </Skeletons>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { useMemo, useState } from 'react'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { allChannels } from '#contract/channels.ts'
import { listBioPages } from '#contract/linkInBio/pages.ts'
import { plan } from '#contract/organizations.ts'
import { postFilters } from '#contract/postLists.ts'
import { getReport, type Report } from '#contract/reports/reports.ts'
import { FilterBar } from '#web/features/insights/FilterBar.tsx'
import { ExportMenu } from '#web/features/reports/editor/ExportMenu.tsx'
import { ReportEditor, type FiltersChoice } from '#web/features/reports/editor/ReportEditor.tsx'
import { ReportView } from '#web/features/reports/editor/ReportView.tsx'
import { ReportSending } from '#web/features/reports/ReportSending.tsx'
import type { Sources } from '#web/features/reports/editor/EditorContext.ts'
import { useMay, useViewOnlyReason } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { Upgrade } from './Upgrade.tsx'

const route = getRouteApi('/$orgId/project/$projectId/insights/report-builder/$reportId')

/** One report: edited with its preview, or only seen. */
export default function ReportScreen() {
  const ids = useProjectIds()
  const { reportId } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const setOpen = (next: typeof open) => void navigate({ search: { open: next }, replace: true, resetScroll: false })
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const isClosed = facts.data?.closed.includes('analytics') ?? false
  const report = useCall(
    getReport,
    { params: { ...ids, reportId } },
    { handles: true, enabled: facts.data !== undefined && !isClosed },
  )
  const mayEdit = useMay([['insights', 'edit']])
  const [unsaved, setUnsaved] = useState(false)
  // read before: it stays with what was changed
  const isGone = report.data !== undefined && report.error?.code === 'NOT_FOUND'
  if (isClosed) return <Upgrade title="Report Builder" />
  return (
    <Page
      title={report.data?.reportName ?? 'Report Builder'}
      bar={
        <>
          <Link
            to="/$orgId/project/$projectId/insights/$"
            params={{ ...ids, _splat: 'report-builder' }}
            className="flex shrink-0 items-center gap-1 text-sm"
          >
            <ChevronLeft size={14} aria-hidden />
            All reports
          </Link>
          <div className="ml-auto flex items-center gap-1.5">
            {report.data && !isGone && mayEdit === 'yes' ? (
              <ReportSending report={report.data} unsaved={unsaved} open={open} onOpen={setOpen} />
            ) : null}
            {report.data && !isGone ? <ExportMenu report={report.data} unsaved={unsaved} /> : null}
          </div>
        </>
      }
    >
      <Loaded query={mayEdit === 'loading' ? { ...report, data: undefined } : report} skeleton={<EditorToCome />}>
        {(found) => (
          <Open
            key={found.reportId}
            report={found}
            isGone={isGone}
            mayEdit={mayEdit === 'yes'}
            onUnsaved={setUnsaved}
          />
        )}
      </Loaded>
    </Page>
  )
}

type OpenProps = { report: Report; isGone: boolean; mayEdit: boolean; onUnsaved: (unsaved: boolean) => void }

function Open({ report, isGone, mayEdit, onUnsaved }: OpenProps) {
  const viewOnly = useViewOnlyReason() ?? "Your role doesn't allow changing reports. Ask a project admin."
  const sources = useSources()
  if (!mayEdit) return <ReportView report={report} why={viewOnly} />
  return <ReportEditor report={report} sources={sources} Filters={Filters} isGone={isGone} onUnsaved={onUnsaved} />
}

/** The insights' own filters, without their days. */
const Filters: FiltersChoice = ({ value, onChange }) => (
  <FilterBar
    offers={['channels', 'platforms', 'posts']}
    value={{
      channelIds: value.channelIds ?? undefined,
      platforms: value.platforms ?? undefined,
      campaignId: value.campaignId ?? undefined,
      labelId: value.labelId ?? undefined,
      hashtag: value.hashtag ?? undefined,
    }}
    onChange={(change) =>
      onChange({
        ...('channelIds' in change ? { channelIds: change.channelIds ?? null } : {}),
        ...('platforms' in change ? { platforms: change.platforms ?? null } : {}),
        ...('campaignId' in change ? { campaignId: change.campaignId ?? null } : {}),
        ...('labelId' in change ? { labelId: change.labelId ?? null } : {}),
        ...('hashtag' in change ? { hashtag: change.hashtag ?? null } : {}),
      })
    }
  />
)

/** What blocks can be about: the channels, campaigns and pages that the person sees. */
function useSources(): Sources {
  const params = useProjectIds()
  const channels = useCall(allChannels, { params }, { handles: true }).data?.channels
  const campaigns = useCall(postFilters, { params }, { handles: true }).data?.campaigns
  const pages = useCall(listBioPages, { params }, { handles: true }).data?.pages
  return useMemo(() => {
    const connected = [...new Set(channels?.map(({ platformName }) => platformName))]
    return {
      channels: channels ?? [],
      platforms: connected.filter((one) => platformFigures[one].post.length + platformFigures[one].channel.length > 0),
      campaigns: campaigns ?? [],
      pages: pages ?? [],
    }
  }, [channels, campaigns, pages])
}

/** The shapes of the blocks and the first page. */
function EditorToCome() {
  return (
    <Skeletons className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="grid gap-3">
        <Skeleton className="h-10 rounded-md" />
        <Skeleton className="h-7 w-2/3 rounded-md" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
      <Skeleton className="aspect-[210/297] rounded-md max-lg:hidden" />
    </Skeletons>
  )
}

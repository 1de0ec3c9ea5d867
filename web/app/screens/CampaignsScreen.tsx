import { getRouteApi } from '@tanstack/react-router'
import Megaphone from 'lucide-react/icons/megaphone'
import Plus from 'lucide-react/icons/plus'
import { countCampaigns, getCampaign, listCampaigns } from '#contract/campaigns.ts'
import { FIRST_PAGE } from '#contract/constants.ts'
import { plan } from '#contract/organizations.ts'
import { CampaignDialog } from '#web/features/campaigns/CampaignDialog.tsx'
import { CampaignTable } from '#web/features/campaigns/CampaignTable.tsx'
import { PostTabs } from '#web/features/posts/PostTabs.tsx'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/campaigns')
const none = {
  all: {
    title: 'No campaigns yet',
    words: 'A campaign groups posts across channels, such as for a launch, and lets you pause them all at once.',
  },
  active: { title: 'No active campaigns', words: "Campaigns that aren't archived appear here." },
  archived: { title: 'Nothing archived', words: 'Archived campaigns appear here. Their posts are still published.' },
} as const

/** The project's campaigns, or what they are if the plan doesn't include them. */
export default function CampaignsScreen() {
  const ids = useProjectIds()
  const { page = FIRST_PAGE, state = 'all', edit } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: {
    page?: number | undefined
    state?: 'active' | 'archived' | undefined
    edit?: string | undefined
  }) => void navigate({ search: (before) => ({ ...before, edit: undefined, ...change }), replace: true })

  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const campaigns = useCall(
    listCampaigns,
    { params: ids, query: { page, state } },
    { keepPrevious: true, handles: true },
  )
  const counts = useCall(countCampaigns, { params: ids }, { handles: true })
  const edited = useCall(
    getCampaign,
    { params: { ...ids, campaignId: edit ?? '' } },
    { enabled: edit !== undefined && edit !== 'new' },
  )
  const may = {
    create: useMay([['campaign', 'create']]) === 'yes',
    edit: useMay([['campaign', 'edit']]) === 'yes',
    remove: useMay([['campaign', 'delete']]) === 'yes',
  }
  const closed = facts.data?.closed.includes('campaigns') ?? false
  const seePlans = (
    <Button tone="primary" onClick={() => upgrade.open({ gate: 'campaigns' })}>
      See plans
    </Button>
  )
  const create =
    may.create && !closed ? (
      <Button icon={<Plus size={15} aria-hidden />} onClick={() => go({ edit: 'new' })}>
        Create campaign
      </Button>
    ) : null
  const labeled = (name: 'all' | 'active' | 'archived', word: string) => ({
    value: name,
    label: counts.data ? `${word} ${counts.data[name].toLocaleString('en')}` : word,
  })

  return (
    <Page title="Campaigns">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <PostTabs />
        {closed && counts.data?.all === 0 ? (
          <EmptyState icon={<Megaphone size={20} />} title={gateWords.campaigns.title} action={seePlans}>
            A campaign groups posts across channels and lets you pause them all at once. {gateWords.campaigns.text}
          </EmptyState>
        ) : (
          <>
            {closed ? (
              <Banner
                tone="info"
                title={gateWords.campaigns.title}
                actions={
                  <Button size="s" onClick={() => upgrade.open({ gate: 'campaigns' })}>
                    See plans
                  </Button>
                }
              >
                You can still view, enable and archive existing ones.
              </Banner>
            ) : null}
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Segmented
                label="Which campaigns"
                options={[labeled('all', 'All'), labeled('active', 'Active'), labeled('archived', 'Archived')]}
                value={state}
                onChange={(next) => go({ state: next === 'all' ? undefined : next, page: undefined })}
              />
              {create}
            </div>
            <Loaded
              query={campaigns}
              isEmpty={(reply) => reply.campaigns.length === 0}
              empty={
                page > FIRST_PAGE ? (
                  <EmptyState
                    icon={<Megaphone size={20} />}
                    title="This page doesn't exist"
                    action={<Button onClick={() => go({ page: undefined })}>Go to the first page</Button>}
                  >
                    The list has fewer pages.
                  </EmptyState>
                ) : (
                  <EmptyState icon={<Megaphone size={20} />} title={none[state].title}>
                    {none[state].words}
                  </EmptyState>
                )
              }
            >
              {({ campaigns: rows, pagination }) => (
                <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
                  <CampaignTable
                    campaigns={rows}
                    may={{ ...may, edit: may.edit }}
                    onEdit={(campaignId) => go({ edit: campaignId })}
                  />
                  <Pagination
                    page={pagination.currentPage}
                    totalPages={pagination.totalPages}
                    loading={campaigns.isPlaceholderData}
                    onPage={(next) => go({ page: next === FIRST_PAGE ? undefined : next })}
                  />
                </div>
              )}
            </Loaded>
          </>
        )}
      </div>
      {edit === 'new' && may.create && !closed ? (
        <CampaignDialog
          onClose={() => go({})}
          onCreated={(campaignId) =>
            void navigate({ to: '/$orgId/project/$projectId/campaigns/$campaignId', params: { ...ids, campaignId } })
          }
        />
      ) : null}
      {edited.data && edit === edited.data.campaignId && may.edit ? (
        <CampaignDialog key={edit} campaign={edited.data} onClose={() => go({})} />
      ) : null}
    </Page>
  )
}

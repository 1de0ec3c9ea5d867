import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Newspaper from 'lucide-react/icons/newspaper'
import { campaignPosts, getCampaign } from '#contract/campaigns.ts'
import { FIRST_PAGE } from '#contract/constants.ts'
import { CampaignDialog } from '#web/features/campaigns/CampaignDialog.tsx'
import { CampaignFigures } from '#web/features/campaigns/CampaignFigures.tsx'
import { CampaignMenu } from '#web/features/campaigns/CampaignMenu.tsx'
import { DiscussionsHere } from '#web/features/discussions/DiscussionsHere.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { PostListing } from '#web/features/posts/PostListing.tsx'

const route = getRouteApi('/$orgId/project/$projectId/campaigns/$campaignId')

/** One campaign: its status, and its posts. */
export default function CampaignScreen() {
  const ids = useProjectIds()
  const { campaignId } = route.useParams()
  const { page = FIRST_PAGE } = route.useSearch()
  const navigate = route.useNavigate()
  const campaign = useCall(getCampaign, { params: { ...ids, campaignId } }, { handles: ['NOT_FOUND'] })
  const posts = usePostList(campaignPosts, { params: { ...ids, campaignId }, query: { page } }, { keepPrevious: true })
  const may = {
    create: useMay([['campaign', 'create']]) === 'yes',
    edit: useMay([['campaign', 'edit']]) === 'yes',
    remove: useMay([['campaign', 'delete']]) === 'yes',
  }
  const [editing, setEditing] = useState(false)
  const goPage = (next: number) =>
    void navigate({ search: (before) => ({ ...before, page: next === FIRST_PAGE ? undefined : next }) })

  return (
    <Page
      title={campaign.data?.name ?? 'Campaign'}
      controls={
        campaign.data ? (
          <CampaignMenu
            campaign={campaign.data}
            may={may}
            onEdit={() => setEditing(true)}
            onGone={() => void navigate({ to: '/$orgId/project/$projectId/campaigns', params: ids })}
          />
        ) : null
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ButtonLink
          size="s"
          tone="quiet"
          className="-ml-2 justify-self-start"
          icon={<ChevronLeft size={15} aria-hidden />}
          to="/$orgId/project/$projectId/campaigns"
          params={ids}
        >
          Campaigns
        </ButtonLink>
        <Loaded query={campaign} skeleton={<SkeletonLines lines={5} label="Loading the campaign" />}>
          {(loaded) => (
            <>
              <DiscussionsHere about={{ campaignId }} />
              <CampaignFigures campaign={loaded} />
              <Loaded
                query={posts}
                isEmpty={(list) => list.posts.length === 0}
                empty={
                  page > FIRST_PAGE ? (
                    <EmptyState
                      icon={<Newspaper size={20} />}
                      title="This page doesn't exist"
                      action={<Button onClick={() => goPage(FIRST_PAGE)}>Go to the first page</Button>}
                    >
                      The list has fewer pages.
                    </EmptyState>
                  ) : (
                    <EmptyState icon={<Newspaper size={20} />} title="No posts in this campaign">
                      Add posts to a campaign in the composer.
                    </EmptyState>
                  )
                }
              >
                {(list) => (
                  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
                    <PostListing label={`Posts in ${loaded.name}`} posts={list.posts} />
                    <Pagination
                      page={list.pagination.currentPage}
                      totalPages={list.pagination.totalPages}
                      loading={posts.isPlaceholderData}
                      onPage={goPage}
                    />
                  </div>
                )}
              </Loaded>
            </>
          )}
        </Loaded>
      </div>
      {editing && campaign.data ? <CampaignDialog campaign={campaign.data} onClose={() => setEditing(false)} /> : null}
    </Page>
  )
}

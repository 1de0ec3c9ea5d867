import { getRouteApi } from '@tanstack/react-router'
import { clsx } from 'clsx'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Plus from 'lucide-react/icons/plus'
import type { z } from 'zod'
import { FIRST_PAGE } from '#contract/constants.ts'
import { getDiscussion, listDiscussions } from '#contract/discussions.ts'
import { plan } from '#contract/organizations.ts'
import DiscussionDialog from '#web/features/discussions/DiscussionDialog.tsx'
import { DiscussionHead } from '#web/features/discussions/DiscussionHead.tsx'
import { DiscussionList } from '#web/features/discussions/DiscussionList.tsx'
import type { DiscussionsAbout } from '#web/features/discussions/DiscussionsLink.tsx'
import { NotesPanel } from '#web/features/notes/NotesPanel.tsx'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { SkeletonLines, SkeletonRows } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { DiscussionsSearch } from '../search.ts'

const route = getRouteApi('/$orgId/project/$projectId/discussions')
const views = [
  { value: 'open', label: 'Open' },
  { value: 'mine', label: 'Mine' },
  { value: 'resolved', label: 'Resolved' },
] as const

/** The project's discussions next to the open one, or what they are for if the plan lacks them. */
export default function DiscussionsScreen() {
  const ids = useProjectIds()
  const { d: openId, view = 'open', page = FIRST_PAGE, edit, postId, conversationId, campaignId } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: z.output<typeof DiscussionsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const closed = facts.data?.closed.includes('discussion') ?? false
  const enabled = !facts.isPending && !closed
  const about: DiscussionsAbout | undefined = postId
    ? { postId }
    : conversationId
      ? { conversationId }
      : campaignId
        ? { campaignId }
        : undefined
  const found = useCall(
    listDiscussions,
    {
      params: ids,
      query: {
        ...about,
        page,
        state: view === 'resolved' ? 'resolved' : 'open',
        ...(view === 'mine' ? { mine: 'true' } : {}),
      },
    },
    { handles: true, keepPrevious: true, enabled },
  )
  const opened = useCall(
    getDiscussion,
    { params: { ...ids, discussionId: openId ?? '' } },
    { handles: true, enabled: enabled && openId !== undefined },
  )
  const mayWrite = useMay([['note', 'create']]) === 'yes'
  const start = mayWrite ? (
    <Button icon={<Plus size={15} aria-hidden />} onClick={() => go({ edit: 'new' })}>
      Start a discussion
    </Button>
  ) : null
  if (closed)
    return (
      <Page title="Discussions">
        <EmptyState
          icon={<MessagesSquare size={20} />}
          title={gateWords.discussion.title}
          action={
            <Button tone="primary" onClick={() => upgrade.open({ gate: 'discussion' })}>
              See plans
            </Button>
          }
        >
          Talk with your team about a post, a conversation, a campaign, or anything else. {gateWords.discussion.text}
        </EmptyState>
      </Page>
    )
  return (
    <Page title="Discussions">
      <div className="grid gap-4 lg:grid-cols-[minmax(18rem,24rem)_minmax(0,1fr)]">
        <section
          aria-label="All discussions"
          className={clsx('content-start gap-3', openId ? 'hidden lg:grid' : 'grid')}
        >
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Segmented
              label="Discussions to show"
              options={views}
              value={view}
              onChange={(next) => go({ view: next === 'open' ? undefined : next, page: undefined })}
            />
            {start}
          </div>
          {about ? (
            <p className="flex flex-wrap items-center gap-2 text-sm text-ink-muted">
              {`Only discussions about one ${postId ? 'post' : conversationId ? 'conversation' : 'campaign'} are shown.`}
              <Button
                size="s"
                tone="quiet"
                onClick={() => go({ postId: undefined, conversationId: undefined, campaignId: undefined })}
              >
                Show all
              </Button>
            </p>
          ) : null}
          <Loaded
            query={found}
            skeleton={<SkeletonRows rows={4} label="Loading the discussions" />}
            isEmpty={({ discussions }) => discussions.length === 0}
            empty={
              <EmptyState icon={<MessagesSquare size={20} />} title="No discussions yet">
                {view === 'open'
                  ? 'Talk with your team about a post, a conversation, a campaign, or anything else.'
                  : view === 'mine'
                    ? "You aren't a member of any open discussion."
                    : 'Resolved discussions appear here.'}
              </EmptyState>
            }
          >
            {({ discussions, pagination }) => (
              <>
                <DiscussionList
                  discussions={discussions}
                  openId={openId}
                  onOpen={(discussionId) => void navigate({ search: (before) => ({ ...before, d: discussionId }) })}
                />
                <Pagination
                  page={pagination.currentPage}
                  totalPages={pagination.totalPages}
                  loading={found.isPlaceholderData}
                  onPage={(next) => go({ page: next === FIRST_PAGE ? undefined : next })}
                />
              </>
            )}
          </Loaded>
        </section>
        {openId ? (
          <section aria-label="Discussion" className="grid content-start gap-4">
            <Button
              size="s"
              tone="quiet"
              className="-ml-2 justify-self-start lg:hidden"
              icon={<ChevronLeft size={15} aria-hidden />}
              onClick={() => go({ d: undefined })}
            >
              Discussions
            </Button>
            <Loaded query={opened} skeleton={<SkeletonLines lines={5} label="Loading the discussion" />}>
              {(discussion) => (
                <>
                  <DiscussionHead
                    discussion={discussion}
                    mayWrite={mayWrite}
                    onEdit={() => go({ edit: 'open' })}
                    onGone={() => go({ d: undefined })}
                  />
                  <NotesPanel key={openId} about={{ discussionId: openId }} />
                  {edit === 'open' && mayWrite ? (
                    <DiscussionDialog discussion={discussion} onClose={() => go({ edit: undefined })} />
                  ) : null}
                </>
              )}
            </Loaded>
          </section>
        ) : null}
      </div>
      {edit === 'new' && mayWrite ? (
        <DiscussionDialog
          about={about}
          onClose={() => go({ edit: undefined })}
          onStarted={(discussionId) => go({ edit: undefined, view: undefined, d: discussionId })}
        />
      ) : null}
    </Page>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Settings from 'lucide-react/icons/settings-2'
import { getConversation, inboxChannels } from '#contract/inbox/conversations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { SuggestedReplies } from '#web/features/aiHelp/SuggestedReplies.tsx'
import { Conversation } from '#web/features/inbox/Conversation.tsx'
import type { Asked } from '#web/features/inbox/ConversationHead.tsx'
import { ConversationList, RowsToCome } from '#web/features/inbox/ConversationList.tsx'
import { rowOf, type ConversationRow } from '#web/features/inbox/heldConversations.ts'
import { InboxBulkBar } from '#web/features/inbox/InboxBulkBar.tsx'
import { InboxEmpty, Unreadable } from '#web/features/inbox/InboxEmpty.tsx'
import { InboxFilters } from '#web/features/inbox/InboxFilters.tsx'
import { InboxNav, ViewMenu } from '#web/features/inbox/InboxNav.tsx'
import {
  filtersOf,
  fixesSort,
  isWidened,
  isFiltering,
  noFilters,
  opening,
  staysIn,
  queryOf,
  type InboxFilters as Filters,
} from '#web/features/inbox/inboxSearch.ts'
import { isReadable } from '#web/features/inbox/reading.ts'
import { ListHead } from '#web/features/inbox/ListHead.tsx'
import { ReadingNotes } from '#web/features/inbox/ReadingNotes.tsx'
import { ReplyTimes } from '#web/features/inbox/ReplyTimes.tsx'
import { useConversations } from '#web/features/inbox/useConversations.ts'
import { useInboxActions } from '#web/features/inbox/useInboxActions.ts'
import { useReplies } from '#web/features/inbox/useReplies.ts'
import { useStepping } from '#web/features/inbox/useStepping.ts'
import { DiscussionsHere } from '#web/features/discussions/DiscussionsHere.tsx'
import { NotesPanel } from '#web/features/notes/NotesPanel.tsx'
import { SavedViews } from '#web/features/posts/SavedViews.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { callOptions, useCall } from '#web/lib/queries.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { distinctions } from '#web/ui/channelSelection.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useIsNarrow, useIsPhone, useMedia } from '#web/ui/useMedia.ts'
import { useSelection } from '#web/ui/useSelection.ts'
import { ReplyFiles } from './inbox/ReplyFiles.tsx'
import { InboxSearch, readSearch, writeSearch } from '../search.ts'

const InboxSettingsDialog = lazy(() => import('#web/features/inbox/InboxSettingsDialog.tsx'))
const LabelsDialog = lazy(() => import('#web/features/labels/LabelsDialog.tsx'))
const route = getRouteApi('/$orgId/project/$projectId/inbox')
/** What other features bring to an answer. */
const slots = { Files: ReplyFiles, Suggestions: SuggestedReplies }
const nothing: readonly ConversationRow[] = []

/** What people write to the project's channels: views and filters, the list, the open conversation. All of it is in the address. */
export default function InboxScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const router = useRouter()
  const queries = useQueryClient()
  // one pane, two, or three
  const isNarrow = useIsNarrow()
  const isPhone = useIsPhone()
  const isWide = useMedia('(min-width: 1200px)')
  const { view = 'open', sort = 'newest', c: openId } = search
  const filters = filtersOf(search)
  const filtered = isFiltering(filters)

  const counts = useCall(inboxCounts, { params: ids }, { handles: true })
  const channels = useCall(inboxChannels, { params: ids }, { handles: true })
  const opened = useCall(
    getConversation,
    { params: { ...ids, conversationId: openId ?? '' } },
    { handles: true, enabled: openId !== undefined },
  )
  const list = useConversations(ids, queryOf(view, sort, filters, zone), { openId, enabled: true })
  const held = list.data?.rows ?? nothing
  // the open conversation is known better than its row, which may have left the list
  const rows = useMemo(
    () =>
      opened.data
        ? held.map((row) =>
            row.conversationId === opened.data.conversation.conversationId
              ? // where a search found it, only the list knows
                { ...rowOf(opened.data.conversation, opened.data), hit: row.hit }
              : row,
          )
        : held,
    [held, opened.data],
  )
  const apart = useMemo(() => distinctions(channels.data?.channels ?? []), [channels.data])
  const selection = useSelection(rows.map(({ conversationId }) => conversationId))
  const actions = useInboxActions()
  const replies = useReplies()
  const mayReadNotes = useMay([['note', 'view']]) === 'yes'
  const [asked, setAsked] = useState<Asked>()
  const [labeling, setLabeling] = useState(false)
  const [setting, setSetting] = useState(false)
  const mayEditSettings = useMay([['channel', 'edit']]) === 'yes'

  const filter = (change: Filters) =>
    void navigate({
      search: (before) => ({ ...before, ...change, c: isNarrow ? undefined : before.c }),
      replace: true,
      resetScroll: false,
    })
  // whether the list is what Back leads to
  const isOpenedHere = useRef(false)
  const onOpen = useCallback(() => {
    isOpenedHere.current = true
  }, [])
  const open = (conversationId: string | undefined) =>
    void navigate({
      search: opening(conversationId, rows.find((row) => row.conversationId === conversationId)?.hit?.itemId),
      replace: openId !== undefined,
      resetScroll: false,
    })
  const leave = () => {
    if (isNarrow && isOpenedHere.current) router.history.back()
    else open(undefined)
  }

  const stepping = useStepping(rows, openId)
  const step = (by: 1 | -1) => {
    const next = stepping.step(by)
    if (next) open(next)
  }
  const goOn = (status: 'CLOSED' | 'FOLLOWUP') => {
    if (staysIn(view, filters, status)) return
    if (isNarrow) leave()
    else open(stepping.next)
  }
  const nextId = stepping.below
  const { orgId, projectId } = ids
  useEffect(() => {
    if (openId === undefined || nextId === undefined) return undefined
    // the next one is there when it's wanted
    const soon = setTimeout(
      () =>
        void queries.prefetchQuery(
          callOptions(getConversation, { params: { orgId, projectId, conversationId: nextId } }, { handles: true }),
        ),
      400,
    )
    return () => clearTimeout(soon)
  }, [queries, orgId, projectId, openId, nextId])
  useShortcuts(
    [
      { keys: 'j', label: 'Next conversation', run: () => step(1) },
      { keys: 'k', label: 'Previous conversation', run: () => step(-1) },
      {
        keys: 'x',
        label: 'Select the conversation',
        run: () => (openId === undefined ? undefined : selection.toggle(openId, !selection.has(openId))),
      },
      { keys: 'z', label: 'Undo the last change', run: actions.undoLast },
    ].map((one) => ({ ...one, group: 'Inbox' })),
  )

  const views = (
    <SavedViews
      page="inbox"
      search={
        filtered || search.view || search.sort
          ? writeSearch({ view: search.view, sort: search.sort, ...filters }).slice(1)
          : ''
      }
      onOpen={(kept) =>
        void navigate({
          search: (before) => ({
            ...before,
            view: undefined,
            sort: undefined,
            ...noFilters,
            ...InboxSearch.parse(readSearch(kept)),
            c: undefined,
          }),
        })
      }
    />
  )
  const chips = (
    <InboxFilters
      view={view}
      value={filters}
      onChange={filter}
      channels={channels.data?.channels ?? []}
      onManageLabels={() => setLabeling(true)}
    />
  )
  const back = isNarrow ? (
    <IconButton label="Back to the inbox" icon={<ChevronLeft size={18} />} onClick={leave} />
  ) : null
  const showsList = !isNarrow || openId === undefined
  const showsOpen = !isNarrow || openId !== undefined

  return (
    <Page
      title="Inbox"
      fill
      controls={
        <>
          {mayEditSettings ? (
            <IconButton label="Inbox settings" icon={<Settings size={16} />} onClick={() => setSetting(true)} />
          ) : null}
          <ReplyTimes onSettings={mayEditSettings ? () => setSetting(true) : undefined} />
        </>
      }
      bar={
        isWide || !showsList ? null : (
          <>
            <ViewMenu
              view={view}
              counts={counts.data}
              onView={(next) =>
                void navigate({
                  search: (before) => ({
                    ...before,
                    view: next === 'open' ? undefined : next,
                    status: undefined,
                    c: undefined,
                  }),
                  resetScroll: false,
                })
              }
            />
            {views}
            {chips}
          </>
        )
      }
    >
      <div
        className={clsx(
          'grid min-h-0 flex-1 border-t border-line md:grid-rows-[minmax(0,1fr)]',
          isWide
            ? 'grid-cols-[13.5rem_23rem_minmax(0,1fr)]'
            : isNarrow
              ? 'grid-cols-[minmax(0,1fr)]'
              : 'grid-cols-[20rem_minmax(0,1fr)]',
        )}
      >
        {isWide ? (
          <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto border-r border-line px-2.5 py-3">
            <InboxNav
              view={view}
              counts={counts.data}
              channels={channels.data?.channels ?? []}
              channelIds={search.channelIds}
            />
            <section aria-label="Filters" className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-2.5">
              <h2 className="text-xs font-semibold text-ink-muted">Filters</h2>
              <div className="flex flex-wrap gap-1.5">
                {views}
                {chips}
              </div>
            </section>
            {channels.data?.channels.some((channel) => !isReadable(channel)) ? (
              <div className="grid gap-1.5 px-2.5 text-xs text-ink-muted">
                <Unreadable channels={channels.data.channels} />
              </div>
            ) : null}
          </div>
        ) : null}
        <div
          className={clsx(
            'flex min-h-0 min-w-0 flex-col bg-surface md:overflow-y-auto',
            isNarrow ? '' : 'border-r border-line',
            showsList || isPhone ? '' : 'hidden!',
          )}
          // on a phone the conversation lies over the list, which stays where it was
          inert={!showsList}
        >
          <ListHead
            words={search.q ?? ''}
            isRead={channels.data?.channels.some(isReadable) === true}
            onSearch={(words) => filter({ q: words || undefined })}
            isWidened={isWidened(view, search)}
            sort={fixesSort(view) ? undefined : sort}
            onSort={(next) =>
              void navigate({
                search: (before) => ({ ...before, sort: next === 'newest' ? undefined : next }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <div className="grid shrink-0 gap-2 p-3 empty:hidden">
            <ReadingNotes channels={channels.data?.channels ?? []} />
          </div>
          <Loaded
            // an empty list says nothing about the next one
            query={list.isPlaceholderData && rows.length === 0 ? { ...list, data: undefined } : list}
            skeleton={<RowsToCome rows={8} />}
            isEmpty={() => rows.length === 0}
            empty={
              <InboxEmpty
                view={view}
                channels={channels.data?.channels}
                filters={filters}
                onReset={() => filter(noFilters)}
              />
            }
          >
            {({ next }) => (
              <>
                <ConversationList
                  rows={rows}
                  openId={openId}
                  selection={selection}
                  more={next !== null}
                  onMore={list.readMore}
                  onSeen={list.onSeen}
                  onOpen={onOpen}
                  apart={apart}
                />
                <InboxBulkBar rows={rows} selection={selection} />
              </>
            )}
          </Loaded>
        </div>
        {showsOpen ? (
          <div
            className={clsx(
              'flex min-h-0 min-w-0 flex-col bg-surface',
              isPhone ? 'fixed inset-x-0 top-0 bottom-[calc(56px+env(safe-area-inset-bottom))] z-20' : '',
            )}
          >
            {back && !opened.data ? <div className="shrink-0 border-b border-line px-2 py-1">{back}</div> : null}
            {openId === undefined ? (
              <EmptyState icon={<MessagesSquare size={20} />} title="No conversation selected" className="my-auto">
                Choose one from the list, or press <Kbd>J</Kbd> and <Kbd>K</Kbd> to move through it.
              </EmptyState>
            ) : (
              <Loaded
                query={opened}
                skeleton={
                  <div className="p-4">
                    <SkeletonLines lines={8} label="Loading the conversation" />
                  </div>
                }
              >
                {(conversation) => (
                  <Conversation
                    open={conversation}
                    actions={actions}
                    replies={replies}
                    slots={slots}
                    asked={asked}
                    onAsk={(which, on) => setAsked((now) => (on ? which : now === which ? undefined : now))}
                    notes={mayReadNotes ? <NotesPanel key={openId} about={{ conversationId: openId }} /> : null}
                    discussions={<DiscussionsHere key={openId} about={{ conversationId: openId }} />}
                    notesOpen={search.notes === 'open'}
                    onNotes={(on) =>
                      void navigate({
                        search: (before) => ({ ...before, notes: on ? 'open' : undefined }),
                        replace: true,
                        resetScroll: false,
                      })
                    }
                    onDone={goOn}
                    onLeave={leave}
                    takesFocus={isNarrow}
                    back={back}
                    found={{ itemId: search.at, words: search.q }}
                    onLatest={() =>
                      void navigate({
                        search: (before) => ({ ...before, at: undefined }),
                        replace: true,
                        resetScroll: false,
                      })
                    }
                    onManageLabels={() => setLabeling(true)}
                  />
                )}
              </Loaded>
            )}
          </div>
        ) : null}
      </div>
      {setting ? (
        <Contained>
          <Suspense fallback={null}>
            <InboxSettingsDialog onClose={() => setSetting(false)} />
          </Suspense>
        </Contained>
      ) : null}
      {labeling ? (
        <Contained>
          <Suspense fallback={null}>
            <LabelsDialog onClose={() => setLabeling(false)} />
          </Suspense>
        </Contained>
      ) : null}
    </Page>
  )
}

import { sentenceOf } from '#contract/failures/catalog.ts'
import { Link as PlainLink } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Megaphone from 'lucide-react/icons/megaphone'
import PanelRight from 'lucide-react/icons/panel-right'
import type { ReactNode } from 'react'
import type { PostRow } from '#contract/postLists.ts'
import { dateOf, offsetOf, timeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { noTimeYet, shownStatusOf } from '#web/lib/shownTime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { DraftChannels } from '#web/ui/DraftChannels.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LabelChips } from '#web/ui/LabelChips.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { PostCover } from '#web/ui/PostCover.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AiMark } from './AiMark.tsx'
import { isInSeries } from './moving.ts'
import { DuplicateItem, PostMenuItems } from './PostMenuItems.tsx'
import { SeriesMark } from './SeriesMark.tsx'
import type { PostRights } from './usePostRights.ts'
import type { Selection } from '#web/ui/useSelection.ts'

type Props = {
  label: string
  rows: readonly PostRow[]
  rightsOf: (post: PostRow) => PostRights
  selection: Selection
  /** What a published post got, in a line. */
  figuresOf: (post: PostRow) => ReactNode
  openId: string | undefined
  onOpen: (postId: string) => void
  onEdit: (post: PostRow) => void
  onMove: (post: PostRow) => void
  /** The reader is an approver. */
  onApprove: ((post: PostRow) => void) | undefined
  onReject: ((post: PostRow) => void) | undefined
  onSend: (post: PostRow) => void
  onRetry: (post: PostRow) => void
  onDelete: (post: PostRow) => void
  /** The one action that fixes a post that wasn't published, or nothing. */
  fix: (post: PostRow) => ReactNode
}

/** Posts as rows; each opens next to the list, a draft in the composer if the person may edit it. */
export function PostTable({ label, rows, openId, onOpen, selection, figuresOf, fix, ...row }: Props) {
  const chosen = selection.ids.length
  const now = useNow()
  const columns: Column<PostRow>[] = [
    {
      key: 'chosen',
      words: 'Select',
      header: (
        <Checkbox
          label="Select all"
          labelHidden
          checked={chosen > 0 && chosen === rows.length}
          mixed={chosen > 0 && chosen < rows.length}
          onChange={(event) => selection.all(event.target.checked)}
        />
      ),
      bare: true,
      className: 'rows:w-9 rows:pr-0! rows:pl-3!',
      cell: (post) => <Choose post={post} selection={selection} />,
    },
    {
      key: 'post',
      header: 'Post',
      names: true,
      className: 'rows:w-2/5 cards:w-[calc(100%-2rem)]!',
      cell: (post) => (
        <Words
          post={post}
          open={post.postId === openId}
          onOpen={onOpen}
          mayEdit={row.rightsOf(post).edit}
          figures={figuresOf(post)}
          fix={post.failure || post.status === 'UNCONFIRMED' ? fix(post) : null}
        />
      ),
    },
    { key: 'channel', header: 'Channel', bare: true, cell: (post) => <Account post={post} /> },
    { key: 'status', header: 'Status', bare: true, cell: (post) => <StatusBadge status={shownStatusOf(post, now)} /> },
    { key: 'time', header: 'Time', bare: true, cell: (post) => <Time post={post} /> },
    {
      key: 'author',
      header: 'Author',
      notInCards: true,
      cell: (post) => <span className="text-ink-muted">{post.author?.name ?? ''}</span>,
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      corner: true,
      align: 'end',
      cell: (post) => <RowMenu post={post} onOpen={onOpen} {...row} />,
    },
  ]
  return <Table wide label={label} columns={columns} rows={rows} rowKey={(post) => post.postId} />
}

function Choose({ post, selection }: { post: PostRow; selection: Selection }) {
  return (
    <Checkbox
      label="Select"
      aria-label={`Select ${nameOf(post)}`}
      labelHidden
      checked={selection.has(post.postId)}
      onChange={(event) => {
        const { nativeEvent } = event
        // a click or the space bar, with the keys held during it
        selection.toggle(post.postId, event.target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }}
    />
  )
}

const nameOf = (post: PostRow) => post.excerpt.slice(0, 40) || 'this post'

function Words({
  post,
  open,
  onOpen,
  mayEdit,
  figures,
  fix,
}: {
  post: PostRow
  open: boolean
  onOpen: (postId: string) => void
  mayEdit: boolean
  figures: ReactNode
  fix: ReactNode
}) {
  const ids = useProjectIds()
  const words = post.excerpt || (post.images > 0 ? 'Images without text' : 'No text')
  // a line of text alone is smaller than a touch target
  const look = 'line-clamp-2 py-0.75 text-left wrap-anywhere font-medium hover:underline aria-expanded:text-accent'
  return (
    <span data-post={post.postId} className="flex w-full min-w-0 items-center justify-between gap-3">
      <span className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start">
        {post.status === 'DRAFTS' && mayEdit ? (
          <PlainLink
            to="/$orgId/project/$projectId/compose"
            params={ids}
            search={{ draft: post.postId }}
            className={look}
          >
            {words}
          </PlainLink>
        ) : (
          <button
            type="button"
            data-post={post.postId}
            aria-expanded={open}
            onClick={() => onOpen(post.postId)}
            className={look}
          >
            {words}
          </button>
        )}
        {post.ai && post.status === 'DRAFTS' ? <AiMark /> : null}
        {isInSeries(post) || post.labels.length > 0 || post.campaigns.length > 0 ? (
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <SeriesMark series={post.series} />
            <LabelChips labels={post.labels} />
            {post.campaigns.length > 0 ? (
              <span className="flex min-w-0 items-center gap-1 text-sm text-ink-muted">
                <Megaphone size={12} aria-hidden className="shrink-0" />
                <span className="sr-only">Campaigns: </span>
                <span dir="auto" className="truncate">
                  {post.campaigns.map(({ name }) => name).join(', ')}
                </span>
              </span>
            ) : null}
          </span>
        ) : null}
        {figures}
        {post.failure ? <span className="line-clamp-1 text-sm text-bad">{sentenceOf(post.failure)}</span> : null}
        {fix ? <span className="mt-1 empty:hidden">{fix}</span> : null}
      </span>
      <PostCover post={post} className="size-12" />
    </span>
  )
}

function Account({ post }: { post: PostRow }) {
  if (!post.channel)
    return (
      <span className="text-ink-muted">
        <DraftChannels channels={post.draftChannels} />
      </span>
    )
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Avatar
        name={post.channel.channelName}
        src={post.channel.profileUrl}
        platform={post.channel.platformName}
        size={24}
      />
      <span className="min-w-0">
        <span dir="auto" className="block truncate">
          {post.channel.channelName}
        </span>
        {post.channel.simulated ? <span className="block text-xs text-ink-muted">simulated</span> : null}
      </span>
    </span>
  )
}

function Time({ post }: { post: PostRow }) {
  const without = noTimeYet(post)
  if (without) return <span className="text-ink-muted cards:text-sm">{without}</span>
  return (
    <span
      title={post.timezone}
      className="tnum whitespace-nowrap cards:flex cards:gap-1.5 cards:text-sm cards:text-ink-muted"
    >
      {/* a draft without a time shows when it was last changed */}
      {post.status === 'DRAFTS' && !post.dueAt ? <span className="text-ink-muted">Edited </span> : null}
      {dateOf(post.at, post.timezone)}
      <span className="block text-sm text-ink-muted">
        {timeOf(post.at, post.timezone)} {offsetOf(post.at, post.timezone)}
      </span>
    </span>
  )
}

function RowMenu({
  post,
  rightsOf,
  onOpen,
  onEdit,
  onMove,
  onApprove,
  onReject,
  onSend,
  onRetry,
  onDelete,
}: Pick<
  Props,
  'rightsOf' | 'onOpen' | 'onEdit' | 'onMove' | 'onApprove' | 'onReject' | 'onSend' | 'onRetry' | 'onDelete'
> & { post: PostRow }) {
  return (
    <Menu
      align="end"
      label="Actions"
      trigger={<IconButton label={`Actions for ${nameOf(post)}`} icon={<Ellipsis size={16} />} />}
    >
      <MenuItem icon={<PanelRight size={14} />} onSelect={() => onOpen(post.postId)}>
        Open
      </MenuItem>
      {post.status === 'DELETED' ? (
        <DuplicateItem post={post} rights={rightsOf(post)} />
      ) : (
        <PostMenuItems
          post={post}
          rights={rightsOf(post)}
          onEdit={() => onEdit(post)}
          onMove={() => onMove(post)}
          onApprove={onApprove && (() => onApprove(post))}
          onReject={onReject && (() => onReject(post))}
          onSend={() => onSend(post)}
          onRetry={() => onRetry(post)}
          onDelete={() => onDelete(post)}
        />
      )}
    </Menu>
  )
}

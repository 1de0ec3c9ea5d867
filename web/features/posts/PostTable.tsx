import { Link as PlainLink } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Image from 'lucide-react/icons/image'
import type { PostRow } from '#contract/posts.ts'
import { canDo } from '#contract/postStates.ts'
import { dateOf, offsetOf, timeOf } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AiMark } from './AiMark.tsx'
import { isMovable } from './moving.ts'
import type { PostRights } from './usePostRights.ts'

type Props = {
  label: string
  rows: readonly PostRow[]
  rights: PostRights
  openId: string | undefined
  onOpen: (postId: string) => void
  onEdit: (post: PostRow) => void
  onMove: (post: PostRow) => void
  onRetry: (post: PostRow) => void
  onDelete: (post: PostRow) => void
}

/** Posts as rows; each opens beside the list, a draft in the composer. */
export function PostTable({ label, rows, openId, onOpen, ...row }: Props) {
  const columns: Column<PostRow>[] = [
    { key: 'post', header: 'Post', className: 'md:w-2/5', cell: (post) => <Words post={post} open={post.postId === openId} onOpen={onOpen} /> },
    { key: 'channel', header: 'Channel', bare: true, cell: (post) => <Account post={post} /> },
    { key: 'status', header: 'Status', bare: true, cell: (post) => <StatusBadge status={post.status} /> },
    { key: 'time', header: 'Time', bare: true, cell: (post) => <Time post={post} /> },
    { key: 'author', header: 'Author', hideOnPhone: true, cell: (post) => <span className="text-ink-muted">{post.author?.name ?? ''}</span> },
    { key: 'actions', header: 'Actions', headerHidden: true, corner: true, align: 'end', cell: (post) => <RowMenu post={post} onOpen={onOpen} {...row} /> },
  ]
  return <Table label={label} columns={columns} rows={rows} rowKey={(post) => post.postId} />
}

function Words({ post, open, onOpen }: { post: PostRow; open: boolean; onOpen: (postId: string) => void }) {
  const ids = useProjectIds()
  const words = post.excerpt || (post.images > 0 ? 'Pictures without text' : 'No text')
  const look = 'line-clamp-2 text-left font-medium hover:underline aria-expanded:text-accent'
  return (
    <span className="grid min-w-0 gap-0.5">
      {post.status === 'DRAFTS' ? (
        <PlainLink to="/$orgId/project/$projectId/compose" params={ids} search={{ draft: post.postId }} className={look}>
          {words}
        </PlainLink>
      ) : (
        <button type="button" data-post={post.postId} aria-expanded={open} onClick={() => onOpen(post.postId)} className={look}>
          {words}
        </button>
      )}
      {post.ai && post.status === 'DRAFTS' ? <AiMark /> : null}
      {post.failure ? <span className="line-clamp-1 text-sm text-bad">{post.failure.reason}</span> : null}
      {post.images > 0 ? (
        <span className="flex items-center gap-1 text-sm text-ink-muted">
          <Image size={12} aria-hidden /> {post.images === 1 ? '1 picture' : `${post.images} pictures`}
        </span>
      ) : null}
    </span>
  )
}

function Account({ post }: { post: PostRow }) {
  if (!post.channel) return <span className="text-ink-muted">No channel yet</span>
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Avatar name={post.channel.channelName} src={post.channel.profileUrl} platform={post.channel.platformName} size={24} />
      <span className="min-w-0">
        <span className="block truncate">{post.channel.channelName}</span>
        {post.channel.simulated ? <span className="block text-xs text-ink-muted">simulated</span> : null}
      </span>
    </span>
  )
}

function Time({ post }: { post: PostRow }) {
  const changed = post.status === 'DRAFTS' && !post.dueAt
  return (
    <span title={post.timezone} className="tnum whitespace-nowrap max-md:flex max-md:gap-1.5 max-md:text-sm max-md:text-ink-muted">
      {dateOf(post.at, post.timezone)}
      <span className="block text-sm text-ink-muted">
        {changed ? 'changed ' : ''}
        {timeOf(post.at, post.timezone)} {offsetOf(post.at, post.timezone)}
      </span>
    </span>
  )
}

function RowMenu({ post, rights, onOpen, onEdit, onMove, onRetry, onDelete }: Pick<Props, 'rights' | 'onOpen' | 'onEdit' | 'onMove' | 'onRetry' | 'onDelete'> & { post: PostRow }) {
  return (
    <Menu align="end" label="Actions" trigger={<IconButton label={`Actions for ${post.excerpt.slice(0, 40) || 'this post'}`} icon={<Ellipsis size={16} />} />}>
      {post.status === 'DRAFTS' ? null : <MenuItem onSelect={() => onOpen(post.postId)}>Open</MenuItem>}
      {canDo('edit', post.status) && rights.edit ? <MenuItem onSelect={() => onEdit(post)}>Edit</MenuItem> : null}
      {isMovable(post) && rights.publish ? <MenuItem onSelect={() => onMove(post)}>Move to another time</MenuItem> : null}
      {canDo('retry', post.status) && rights.publish ? <MenuItem onSelect={() => onRetry(post)}>Retry</MenuItem> : null}
      {canDo('delete', post.status) && rights.remove ? (
        <MenuItem danger onSelect={() => onDelete(post)}>
          Delete
        </MenuItem>
      ) : null}
    </Menu>
  )
}

import { clsx } from 'clsx'
import type { CSSProperties, ReactNode } from 'react'
import { figureText } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PostTableRow } from '#contract/analytics/posts.ts'
import { postTypeLabel } from '#contract/platforms/registry.ts'
import { excerptText } from '#contract/postLists.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import type { NamedChannels } from '../useChannels.ts'
import { PostThumbnail } from './PostThumbnail.tsx'
import { whyMissing } from './postTableView.ts'
import { sticky } from './PostTableHead.tsx'

/** The link that opens a post, around its text; just the text where nothing opens. */
export type OpensPost = (post: PostTableRow, text: ReactNode) => ReactNode

type Props = {
  post: PostTableRow
  /** Its row's number, the head being 1. */
  place: number
  /** In the order of the table. */ columns: readonly ('publishedAt' | FigureKey)[]
  channels: NamedChannels
  apart: readonly PlatformKey[]
  opens: OpensPost
  style: CSSProperties
}

/** One post: what it is, when it was published, and its figures to date. */
export function PostTableLine({ post, place, columns, channels, apart, opens, style }: Props) {
  const channel = channels.get(post.channelId)
  return (
    <div
      role="row"
      aria-rowindex={place}
      style={style}
      className="absolute inset-x-0 top-0 grid items-center border-b border-line bg-surface hover:bg-[color-mix(in_oklab,var(--surface),var(--ink)_4%)]"
    >
      <div role="rowheader" className={clsx(sticky, 'flex h-full min-w-0 items-center gap-2.5 px-3')}>
        <PostThumbnail post={post} className="size-10 max-md:hidden" />
        <span className="grid min-w-0 leading-tight">
          <span dir="auto" className="font-medium max-md:line-clamp-2 max-md:text-sm/tight md:truncate">
            {opens(post, excerptText(post.excerpt))}
          </span>
          <span className="flex min-w-0 items-center gap-1.5 pt-0.5 text-xs text-ink-muted">
            {channel ? <PlatformIcon platform={channel.platformName} size={14} named /> : null}
            <span dir="auto" className="truncate">
              {channel?.shownName ?? 'Disconnected channel'}
            </span>
            <span className="shrink-0 max-md:hidden">· {postTypeLabel(channel?.platformName, post.postType)}</span>
          </span>
        </span>
      </div>
      {columns.map((name) => {
        if (name === 'publishedAt') return <PublishedAt key={name} post={post} />
        const value = post.figures[name]
        const why = value === undefined ? whyMissing(post, name, { platform: channel?.platformName, apart }) : undefined
        return (
          <div
            key={name}
            role="cell"
            title={why}
            className={clsx('tnum px-3 text-right', why !== undefined && 'text-ink-faint')}
          >
            {figureText(name, value)}
            {why === undefined ? null : <span className="sr-only"> {why}</span>}
          </div>
        )
      })}
    </div>
  )
}

function PublishedAt({ post }: { post: PostTableRow }) {
  const zone = useProjectZone()
  const where = post.goneAt ? 'deleted there' : post.origin === 'elsewhere' ? 'elsewhere' : ''
  return (
    <div role="cell" className="tnum grid px-2 text-sm leading-tight whitespace-nowrap">
      <span>{dateOf(post.publishedAt, zone)}</span>
      <span className="text-xs text-ink-muted">
        <span className="max-md:hidden">
          {timeOf(post.publishedAt, zone)}
          {where === '' ? '' : ' · '}
        </span>
        {where}
      </span>
    </div>
  )
}

import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import Newspaper from 'lucide-react/icons/newspaper'
import { useState } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { BIO } from '#contract/linkInBio/limits.ts'
import { bioPostChoices } from '#contract/linkInBio/pages.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { BioPost } from './edited.ts'

const SHOWN = 12
type Choice = ReplyOf<typeof bioPostChoices>['posts'][number]
type Props = {
  pageId: string
  /** Posts that the page shows already, saved or not. */
  held: readonly string[]
  onAdd: (posts: { post: BioPost; url: string }[]) => void
  onClose: () => void
}

/** Published posts for the grid, one or several. Their links begin with the first one of their text, else with the post itself. */
export default function AddPostsDialog({ pageId, held, onAdd, onClose }: Props) {
  const ids = useProjectIds()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState<number>(FIRST_PAGE)
  const [chosen, setChosen] = useState<readonly Choice[]>([])
  const choices = useCall(
    bioPostChoices,
    { params: { ...ids, pageId }, query: { page, limit: SHOWN, ...(search && { search }) } },
    { keepPrevious: true, handles: true },
  )
  const room = BIO.posts - held.length - chosen.length
  const toggle = (choice: Choice) =>
    setChosen((now) =>
      now.some(({ postId }) => postId === choice.postId)
        ? now.filter(({ postId }) => postId !== choice.postId)
        : [...now, choice],
    )
  const add = () =>
    onAdd(
      chosen.map(({ firstLink, postId, platform, excerpt, publishedAt, permalink, pictureUrl }) => ({
        post: { postId, platform, excerpt, publishedAt, permalink, pictureUrl },
        url: firstLink ?? permalink ?? '',
      })),
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="l"
      title="Add posts"
      footer={
        <>
          {room <= 0 ? (
            <p role="status" className="mr-auto self-center text-sm text-ink-muted">
              A page has up to {BIO.posts} posts.
            </p>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={chosen.length === 0} onClick={add}>
            {chosen.length === 0 ? 'Add posts' : `Add ${count(chosen.length, 'post')}`}
          </Button>
        </>
      }
    >
      <div className="grid min-h-88 grid-cols-[minmax(0,1fr)] content-start gap-3 pt-0.5">
        <SearchBox
          label="Search published posts"
          value={search}
          onSearch={(words) => {
            setSearch(words)
            setPage(FIRST_PAGE)
          }}
        />
        <Loaded
          query={choices}
          isEmpty={({ posts }) => posts.length === 0}
          empty={
            <EmptyState icon={<Newspaper size={20} />} title={search ? 'No matching posts' : 'Nothing published yet'}>
              {search ? 'Try another search term.' : 'Once a post is published, you can add it here.'}
            </EmptyState>
          }
        >
          {({ posts, pagination }) => (
            <>
              <ul
                aria-label="Published posts"
                className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-2.5"
              >
                {posts.map((choice) => {
                  const isHeld = held.includes(choice.postId)
                  const isChosen = chosen.some(({ postId }) => postId === choice.postId)
                  return (
                    <li key={choice.postId} className="grid">
                      <Tile
                        choice={choice}
                        isHeld={isHeld}
                        isChosen={isChosen}
                        disabled={isHeld || (room <= 0 && !isChosen)}
                        onToggle={() => toggle(choice)}
                      />
                    </li>
                  )
                })}
              </ul>
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                loading={choices.isPlaceholderData}
                onPage={setPage}
              />
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

type TileProps = { choice: Choice; isHeld: boolean; isChosen: boolean; disabled: boolean; onToggle: () => void }

function Tile({ choice, isHeld, isChosen, disabled, onToggle }: TileProps) {
  const zone = useProjectZone()
  const { pictureUrl, excerpt, platform, publishedAt } = choice
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={disabled}
      onClick={onToggle}
      className={clsx(
        'relative flex w-full min-w-0 flex-col rounded-lg border bg-surface text-left disabled:opacity-60',
        isChosen ? 'border-accent ring ring-accent' : 'border-line enabled:hover:border-line-strong',
      )}
    >
      {pictureUrl ? (
        <img src={pictureUrl} alt="" loading="lazy" className="aspect-4/3 w-full rounded-t-[11px] object-cover" />
      ) : (
        <span aria-hidden className="line-clamp-5 aspect-4/3 w-full rounded-t-[11px] bg-sunken p-2.5 text-sm">
          {excerpt}
        </span>
      )}
      <span className="grid min-w-0 gap-0.5 px-2 py-1.5">
        <span dir="auto" className={clsx('truncate text-sm font-medium', pictureUrl ? '' : 'sr-only')}>
          {excerpt || 'No text'}
        </span>
        <span className="tnum flex items-center gap-1.5 text-xs text-ink-muted">
          <PlatformIcon platform={platform} size={13} />
          {isHeld ? 'On this page' : dateOf(publishedAt, zone)}
        </span>
      </span>
      {isChosen ? (
        <span
          aria-hidden
          className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-md bg-accent text-on-accent"
        >
          <Check size={15} strokeWidth={3} />
        </span>
      ) : null}
    </button>
  )
}

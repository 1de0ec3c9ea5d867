import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listBioPages } from '#contract/linkInBio/pages.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SideScroll } from '#web/ui/SideScroll.tsx'
import { pageState } from './pageState.ts'

type Listed = ReplyOf<typeof listBioPages>['pages'][number]

/** The project's pages, each with its state, and the way to one more. */
export function PageChoice({
  pages,
  open,
  onNew,
  children,
}: {
  pages: readonly Listed[]
  /** The open one's ID. */ open: string
  /** Undefined for view-only people. */ onNew: (() => void) | undefined
  /** At the other end. */ children?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2.5">
      <nav aria-label="Pages" className="min-w-0">
        <SideScroll className="gap-1.5 p-0.5">
          {pages.map((page) => {
            const { word, tone } = pageState(page)
            return (
              <Link
                key={page.pageId}
                to="."
                search={(before) => ({ ...before, bio: page.pageId })}
                aria-current={page.pageId === open ? 'page' : undefined}
                className="flex h-9 max-w-64 shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-3 has-[span+span]:pr-2 font-semibold text-ink-muted hover:border-line-strong hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink aria-[current=page]:ring aria-[current=page]:ring-accent"
              >
                <span dir="auto" className="truncate">
                  {page.name}
                </span>
                {pages.length > 1 ? <Badge tone={tone}>{word}</Badge> : null}
              </Link>
            )
          })}
        </SideScroll>
      </nav>
      {onNew ? (
        <Button tone="quiet" icon={<Plus size={15} aria-hidden />} onClick={onNew}>
          New page
        </Button>
      ) : null}
      {children}
    </div>
  )
}

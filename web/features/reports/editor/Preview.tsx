import { useEffect, useId, useRef } from 'react'
import { PREVIEW_PAGES } from '#contract/reports/files.ts'
import { count } from '#web/lib/format.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { pageAlts } from './pageAlts.ts'
import type { EditedReport } from './edited.ts'
import type { Drawn, usePreview } from './usePreview.ts'

/** Above the page that is brought into view. Pixels. */
const ROOM = 12

type Props = {
  preview: ReturnType<typeof usePreview>
  edited: EditedReport
  /** Fields that have to be corrected before it can be drawn. */ blocked: boolean
  /** The block whose page is brought into view. */ open?: string | undefined
}

/** The PDF's pages, as the last drawing has them. */
export function Preview({ preview: { drawn, error, isBehind, isPending, retry }, edited, blocked, open }: Props) {
  const id = useId()
  const why = error ? (error.code === 'NETWORK' ? "You're offline." : (error.detail ?? error.title)) : ''
  return (
    <section aria-labelledby={id} aria-busy={isBehind} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex min-h-7 items-center gap-2">
        <h2 id={id} className="text-lg font-bold">
          Preview
        </h2>
        {drawn ? <span className="tnum text-sm text-ink-muted">{count(drawn.pageCount, 'page')}</span> : null}
        <span className="ml-auto flex items-center gap-1.5 text-sm text-ink-muted">
          {isBehind && !error ? (
            <>
              <Spinner /> Updating
            </>
          ) : null}
        </span>
      </div>
      {blocked && drawn ? (
        <Banner tone="wait" title="The preview shows an earlier state">
          Correct the marked fields to see your changes.
        </Banner>
      ) : null}
      {error && drawn ? (
        <Banner
          live
          tone="bad"
          title="The preview couldn't be updated"
          actions={
            <Button size="s" onClick={retry}>
              Try again
            </Button>
          }
        >
          {why} The pages below show an earlier state. Your changes are still here.
        </Banner>
      ) : null}
      {drawn && drawn.unshown.length > 0 ? (
        <Banner tone="wait" title="Some characters can't be shown">
          The fonts of reports don't have {drawn.unshown.join(', ')}.
        </Banner>
      ) : null}
      {drawn ? (
        <Pages pages={drawn.pages} alts={pageAlts(drawn, edited.content.blocks)} at={pageOf(drawn, open)} />
      ) : error ? (
        <ErrorState
          title="The preview couldn't be drawn"
          error={{ code: error.code, detail: why, requestId: error.requestId }}
          onRetry={retry}
        />
      ) : isPending && !blocked ? (
        <Skeletons label="Drawing the preview">
          <Skeleton className="aspect-[210/297] w-full rounded-md" />
        </Skeletons>
      ) : (
        <p className="text-ink-muted">Correct the marked fields to see the preview.</p>
      )}
      {drawn && drawn.pageCount > drawn.pages.length ? (
        <p className="text-sm text-ink-muted">
          The preview has the first {PREVIEW_PAGES} pages. The PDF has all {drawn.pageCount}.
        </p>
      ) : null}
    </section>
  )
}

/** The page on which a block starts. */
const pageOf = ({ blocks }: Drawn, open: string | undefined) =>
  open === undefined ? undefined : (blocks.find(({ blockId }) => blockId === open)?.page ?? undefined)

type PagesProps = {
  pages: readonly string[]
  alts: readonly string[]
  /** The one that is brought into view, 1 first. */ at: number | undefined
}

function Pages({ pages, alts, at }: PagesProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const page = at === undefined ? undefined : list.current?.children[at - 1]
    const view = list.current?.closest('[data-pages]')
    if (!page || !view) return
    // only the pages move, not what someone works in beside them
    view.scrollTop += page.getBoundingClientRect().top - view.getBoundingClientRect().top - ROOM
  }, [at])
  return (
    <ol ref={list} className="grid gap-4">
      {pages.map((svg, i) => (
        // a page is known by its number
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <PageImage svg={svg} alt={alts[i] ?? ''} />
          <p aria-hidden className="tnum mt-1 text-center text-xs text-ink-muted">
            {i + 1}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** A page as a picture: nothing in it runs or is loaded. */
function PageImage({ svg, alt }: { svg: string; alt: string }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    // the old picture stays until the new one is there
    if (image.current) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [svg])
  return (
    <div className="aspect-[210/297] overflow-hidden rounded-sm bg-white shadow-1 ring ring-line">
      <img ref={image} alt={alt} className="size-full text-black" />
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import { renderBioPage, type BioView } from '#contract/linkInBio/render.ts'
import { bioThemes } from '#contract/linkInBio/themes.ts'

/** A phone's width, and how small it's drawn. */
const PHONE = 390
const SCALE = 0.8
/** From the last change until it's drawn. Milliseconds. */
const PAUSE = 200

/**
 * The page as visitors see it on their phone: the server's own HTML, in a frame that can neither run scripts nor lead anywhere.
 * The frame has this page's origin, so that changes are put into its document and it stays where someone scrolled to.
 */
export function Preview({ view }: { view: BioView }) {
  const html = renderBioPage(view)
  const frame = useRef<HTMLIFrameElement>(null)
  const [first] = useState(html)
  useEffect(() => {
    const timer = setTimeout(() => draw(frame.current, html), PAUSE)
    return () => clearTimeout(timer)
  }, [html])
  const { page } = bioThemes[view.theme]
  return (
    <div
      // until the frame has loaded, it has the page's background
      style={{ background: page, width: PHONE * SCALE + 14 }}
      className="mx-auto h-[min(42rem,calc(100dvh-8rem))] min-h-96 max-w-full overflow-hidden rounded-[2.5rem] border-7 border-black shadow-2 ring ring-line"
    >
      <iframe
        ref={frame}
        title="Preview"
        // never together with allow-scripts
        sandbox="allow-same-origin"
        srcDoc={first}
        onLoad={({ currentTarget }) => draw(currentTarget, html)}
        style={{
          width: PHONE,
          height: `calc(100% / ${SCALE})`,
          transform: `scale(${SCALE})`,
          transformOrigin: '0 0',
        }}
        className="block rounded-[inherit] border-0"
      />
    </div>
  )
}

/** Puts a page into the frame's document, unless it's there already. */
function draw(frame: HTMLIFrameElement | null, html: string): void {
  const shown = frame?.contentDocument
  if (!shown) return
  const next = new DOMParser().parseFromString(html, 'text/html').documentElement
  if (!shown.documentElement.isEqualNode(next)) shown.documentElement.replaceWith(shown.importNode(next, true))
}

import { useEffect, useState } from 'react'
import { renderBioPage, type BioView } from '#contract/linkInBio/render.ts'
import { bioThemes } from '#contract/linkInBio/themes.ts'

/** A phone's width, and how small it's drawn. */
const PHONE = 390
const SCALE = 0.8
/** From the last change until it's drawn. Milliseconds. */
const PAUSE = 200

/** The page as visitors see it on their phone: the server's own HTML, in a frame that can neither run scripts nor lead anywhere. */
export function Preview({ view }: { view: BioView }) {
  const html = renderBioPage(view)
  const [shown, setShown] = useState(html)
  useEffect(() => {
    const timer = setTimeout(() => setShown(html), PAUSE)
    return () => clearTimeout(timer)
  }, [html])
  const { page } = bioThemes[view.theme]
  return (
    <div
      // between two states of the frame, its background stays
      style={{ background: page, width: PHONE * SCALE + 14 }}
      className="mx-auto h-[min(42rem,calc(100dvh-8rem))] min-h-96 max-w-full overflow-hidden rounded-[2.5rem] border-7 border-black shadow-2 ring ring-line"
    >
      <iframe
        title="Preview"
        sandbox=""
        srcDoc={shown}
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

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import Link2 from 'lucide-react/icons/link-2'
import { addressesIn } from '#contract/platforms/webAddresses.ts'
import { useMay } from '#web/lib/permissions.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { BIO_LINK, errorAt } from './checks.ts'
import { useCheckResults, useComposer, useComposerState } from './ComposerContext.ts'

// most posts don't need it. It shares nothing with the composer, which stays one file so
const BioLinkField = lazy(() => import('./BioLinkField.tsx'))

/** The post's place on a link in bio page, for people who may change pages. */
export function BioLink() {
  const { store, ids, channels } = useComposer()
  const place = useComposerState(({ doc }) => doc.bioLink)
  const tried = useComposerState(({ sending }) => sending.tried)
  const error = errorAt(useCheckResults().errors, channels, BIO_LINK)
  // the focus follows what a person opened or removed
  const [asked, setAsked] = useState<'open' | 'closed'>()
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asked === 'closed') opener.current?.focus()
  }, [asked])
  if (useMay([['post', 'edit']]) !== 'yes') return null
  if (!place && asked !== 'open') {
    return (
      <Button
        ref={opener}
        tone="quiet"
        size="s"
        className="justify-self-start"
        icon={<Link2 size={14} aria-hidden />}
        onClick={() => setAsked('open')}
      >
        Add to link in bio
      </Button>
    )
  }
  return (
    <Contained fallback={null}>
      <Suspense fallback={<SkeletonLines lines={2} label="Loading link in bio" />}>
        <BioLinkField
          ids={ids}
          place={place}
          wasOpened={asked === 'open'}
          firstLink={() => store.state().doc.items.flatMap(({ text }) => addressesIn(text, 'written'))[0] ?? ''}
          error={error}
          tried={tried}
          onChange={(bioLink) => store.dispatch({ type: 'bioLinkChanged', bioLink })}
          onRemove={() => {
            store.dispatch({ type: 'bioLinkChanged', bioLink: null })
            setAsked('closed')
          }}
        />
      </Suspense>
    </Contained>
  )
}

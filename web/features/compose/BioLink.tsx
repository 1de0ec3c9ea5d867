import { lazy, Suspense } from 'react'
import { addressesIn } from '#contract/platforms/webAddresses.ts'
import { useMay } from '#web/lib/permissions.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { BIO_LINK, errorAt } from './checks.ts'
import { useCheckResults, useComposer, useComposerState } from './ComposerContext.ts'

// below what people write in, and most posts don't need it. It shares nothing with the composer, which stays one file so
const BioLinkField = lazy(() => import('./BioLinkField.tsx'))

/** The post's place on a link in bio page, for people who may change pages. */
export function BioLink() {
  const { store, ids, channels } = useComposer()
  const place = useComposerState(({ doc }) => doc.bioLink)
  const tried = useComposerState(({ sending }) => sending.tried)
  const error = errorAt(useCheckResults().errors, channels, BIO_LINK)
  if (useMay([['post', 'edit']]) !== 'yes') return null
  return (
    <Contained fallback={null}>
      <Suspense>
        <BioLinkField
          ids={ids}
          place={place}
          firstLink={() => store.state().doc.items.flatMap(({ text }) => addressesIn(text, 'written'))[0] ?? ''}
          error={error}
          tried={tried}
          onChange={(bioLink) => store.dispatch({ type: 'bioLinkChanged', bioLink })}
        />
      </Suspense>
    </Contained>
  )
}

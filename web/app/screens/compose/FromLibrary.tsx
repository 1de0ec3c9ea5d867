import Images from 'lucide-react/icons/images'
import { lazy, Suspense, useState } from 'react'
import type { LibraryAsset } from '#contract/library.ts'
import { useMay } from '#web/lib/permissions.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

const LibraryPicker = lazy(() => import('#web/features/assets/LibraryPicker.tsx'))

/** Takes files that are in the library already. */
export function FromLibrary({ onPick }: { onPick: (files: readonly LibraryAsset[]) => void }) {
  const [open, setOpen] = useState(false)
  if (useMay([['asset_library', 'view']]) !== 'yes') return null
  return (
    <>
      <IconButton label="Add from the library" icon={<Images size={17} />} onClick={() => setOpen(true)} />
      {open ? (
        <Contained>
          <Suspense fallback={null}>
            <LibraryPicker
              onClose={() => setOpen(false)}
              onPick={(files) => {
                setOpen(false)
                onPick(files)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}

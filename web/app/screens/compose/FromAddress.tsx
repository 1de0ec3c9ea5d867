import Link2 from 'lucide-react/icons/link-2'
import { lazy, Suspense, useRef, useState } from 'react'
import { getAsset, type Asset } from '#contract/media.ts'
import { call } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toast } from '#web/ui/toast.ts'

const ImportDialog = lazy(() =>
  import('#web/features/assets/ImportDialog.tsx').then((file) => ({ default: file.ImportDialog })),
)

/** Takes a file from an address of the web. */
export function FromAddress({ ids, onPick }: { ids: ProjectIds; onPick: (file: Asset) => void }) {
  const [open, setOpen] = useState(false)
  // people who close the dialog during the import don't want the file in the post anymore
  const wanted = useRef(false)
  const show = (isOpen: boolean) => {
    wanted.current = isOpen
    setOpen(isOpen)
  }
  const take = async (assetId: string) => {
    if (!wanted.current) return
    try {
      onPick(await call(getAsset, { params: { ...ids, assetId } }))
    } catch {
      toast.error("The file was imported but couldn't be attached. You'll find it in the library.")
    }
  }
  return (
    <>
      <IconButton label="Add from a link" icon={<Link2 size={17} />} onClick={() => show(true)} />
      {open ? (
        <Contained>
          <Suspense fallback={null}>
            <ImportDialog onAdded={(assetId) => void take(assetId)} onClose={() => show(false)} />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}

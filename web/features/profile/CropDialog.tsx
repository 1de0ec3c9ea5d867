import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useEffect, useId, useState } from 'react'
import { setPicture } from '#contract/profile.ts'
import { useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { MOST_ZOOM, wholeOf, zoomed } from './crop.ts'
import { CropPlace } from './CropPlace.tsx'
import { cropped } from './picture.ts'

/** Chooses the square of an image that becomes the person's picture. Closed with `onEnd`. */
export function CropDialog({ picture, onEnd }: { picture: ImageBitmap; onEnd: () => void }) {
  const [crop, setCrop] = useState(() => wholeOf(picture))
  const zoomId = useId()
  useEffect(() => () => picture.close(), [picture])
  const send = useSend(setPicture, {
    handles: ['MEDIA_REFUSED', 'BAD_INPUT', 'PAYLOAD_TOO_LARGE'],
    onSuccess: () => {
      toast.success('Profile updated successfully')
      onEnd()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onEnd())}
      title="Adjust your picture"
      description="Drag it, tap the spot you want in the center, or use the arrow keys."
      footer={
        <>
          <Button onClick={onEnd}>Cancel</Button>
          <Button
            tone="primary"
            loading={send.isPending}
            onClick={() => send.mutate({ body: { image: cropped(picture, crop) } })}
          >
            Use picture
          </Button>
        </>
      }
    >
      <div className="grid justify-items-center gap-4">
        {send.error ? (
          <Banner
            live
            tone="bad"
            title={Object.values(send.error.errors)[0]?.[0] ?? send.error.detail ?? send.error.title}
            className="w-full"
          >
            Choose another picture.
          </Banner>
        ) : null}
        <CropPlace picture={picture} crop={crop} onCrop={setCrop} />
        <div className="flex w-full max-w-72 items-center gap-2.5 text-ink-muted">
          <ZoomOut size={15} aria-hidden />
          <label htmlFor={zoomId} className="sr-only">
            Zoom
          </label>
          <input
            id={zoomId}
            type="range"
            min={1}
            max={MOST_ZOOM}
            step={0.05}
            value={crop.zoom}
            aria-valuetext={`${Math.round(crop.zoom * 100)} percent`}
            onChange={(event) => setCrop(zoomed(picture, crop, event.target.valueAsNumber))}
            className="h-6 min-w-0 grow cursor-pointer rounded-sm accent-accent"
          />
          <ZoomIn size={15} aria-hidden />
        </div>
      </div>
    </Dialog>
  )
}

import { useRef, useState } from 'react'
import { isFailure } from '#web/lib/failure.ts'
import { lengthOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import type { Attachment } from './attachments.ts'
import { frameOf, pictureOf } from './frames.ts'

type Chosen = { image: Blob; seconds: number | null } | null
type Props = { one: Attachment; name: string; onChoose: (picture: Chosen) => Promise<void>; onClose: () => void }

const STEP = 0.1
const UNREADABLE = "Your browser can't read this image. Save it as JPEG and choose it again."

/** A video's thumbnail: a frame of it, chosen with a slider, or a separate image. */
export default function ThumbnailDialog({ one, name, onChoose, onClose }: Props) {
  const film = useRef<HTMLVideoElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [seconds, setSeconds] = useState(0)
  const [plays, setPlays] = useState(true)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [length, setLength] = useState(one.seconds ?? 0)

  const choose = async (make: () => Promise<Chosen | undefined>, otherwise: string) => {
    setPending(true)
    setProblem(undefined)
    try {
      const picture = await make()
      if (picture === undefined) return setProblem(otherwise)
      await onChoose(picture)
      onClose()
    } catch (error) {
      setProblem(isFailure(error) ? (error.detail ?? otherwise) : otherwise)
    } finally {
      setPending(false)
    }
  }
  const useFrame = () =>
    choose(async () => {
      const image = film.current ? await frameOf(film.current) : undefined
      return image && { image, seconds: Math.round((film.current?.currentTime ?? seconds) * 1000) / 1000 }
    }, "We couldn't read this frame. Choose an image instead.")

  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Choose thumbnail"
      size="m"
      footer={
        <>
          {one.thumbnailUrl ? (
            <Button
              tone="quiet"
              loading={pending}
              onClick={() => void choose(async () => null, "We couldn't remove the thumbnail. Try again.")}
              className="mr-auto"
            >
              Remove thumbnail
            </Button>
          ) : null}
          <Button loading={pending} onClick={() => input.current?.click()}>
            Upload an image
          </Button>
          {plays ? (
            <Button tone="primary" loading={pending} onClick={() => void useFrame()}>
              Use this frame
            </Button>
          ) : null}
        </>
      }
    >
      <div className="grid gap-3">
        {plays ? (
          <>
            <video
              ref={film}
              src={one.url}
              muted
              playsInline
              preload="auto"
              aria-label={`Frame of ${name}`}
              className="max-h-[50dvh] w-full rounded-md bg-black"
              onError={() => setPlays(false)}
              onLoadedMetadata={(event) => {
                if (Number.isFinite(event.currentTarget.duration)) setLength(event.currentTarget.duration)
                // to the chosen position; some browsers draw nothing before the first seek
                event.currentTarget.currentTime = Math.max(seconds, 0.001)
              }}
            />
            <Field label="Frame" aside={<span className="tnum">{`${lengthOf(seconds)} of ${lengthOf(length)}`}</span>}>
              <FrameSlider
                value={seconds}
                max={length}
                onChange={(to) => {
                  setSeconds(to)
                  if (film.current) film.current.currentTime = to
                }}
              />
            </Field>
          </>
        ) : (
          <p className="text-ink-muted">
            Your browser can't play this video, so you can't choose a frame. Upload an image instead.
          </p>
        )}
        {problem ? (
          <p role="alert" className="text-sm text-bad">
            {problem}
          </p>
        ) : null}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          data-pick-thumbnail
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file)
              void choose(async () => pictureOf(file).then((image) => image && { image, seconds: null }), UNREADABLE)
          }}
        />
      </div>
    </Dialog>
  )
}

function FrameSlider({ value, max, onChange }: { value: number; max: number; onChange: (to: number) => void }) {
  return (
    <input
      type="range"
      aria-label="Frame"
      aria-valuetext={`${value.toFixed(1)} seconds`}
      min={0}
      max={max}
      step={STEP}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      className="h-6 w-full accent-(--accent)"
    />
  )
}

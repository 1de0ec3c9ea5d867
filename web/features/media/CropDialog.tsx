import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useRef, useState, type PointerEvent } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { factsOf, type Attachment, type CheckFile } from './attachments.ts'
import { middleOf, moved, shapeFor, shapes, sized, type Rect, type Shape } from './cropping.ts'
import type { Change } from './useAttachments.ts'

type Props = {
  one: Attachment
  name: string
  /** The chosen channels' rules: an image in a shape they refuse starts in one they accept. */ check: CheckFile
  onApply: (change: Change) => Promise<boolean>
  onClose: () => void
}

const ratioOf = (shape: Shape): number | null => shapes.find(({ value }) => value === shape)?.ratio ?? null

/** A part of an image and its rotation: by hand on the image, or with numbers. */
export default function CropDialog({ one, name, check, onApply, onClose }: Props) {
  const [rotate, setRotate] = useState<Change['rotate']>(0)
  const sides = { width: one.width ?? 1, height: one.height ?? 1 }
  const [shape, setShape] = useState<Shape>(() =>
    shapeFor(sides, (part) => !check({ ...factsOf(one), ...part }).some(({ fix }) => fix === 'crop')),
  )
  const all = rotate % 180 === 0 ? sides : { width: sides.height, height: sides.width }
  const [part, setPart] = useState<Rect>(() => middleOf(sides, ratioOf(shape)))
  const ratio = ratioOf(shape)
  const isWhole = part.width === all.width && part.height === all.height

  const turn = (by: 90 | -90) => {
    const turned = ([0, 90, 180, 270] as const)[(rotate / 90 + by / 90 + 4) % 4] ?? 0
    setRotate(turned)
    setPart(middleOf({ width: all.height, height: all.width }, ratio))
  }
  const apply = () => {
    // the tray shows the progress
    void onApply({ rotate, ...(!isWhole && { crop: part }) })
    onClose()
  }
  const number = (label: string, value: number, change: (to: number) => Rect) => (
    <Field label={label}>
      <TextInput
        type="number"
        inputMode="numeric"
        min={0}
        value={value}
        onChange={(event) => setPart(change(Math.max(0, Math.round(Number(event.target.value) || 0))))}
        end={<span className="pr-2 text-xs text-ink-muted">px</span>}
      />
    </Field>
  )

  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Crop or rotate"
      size="m"
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="primary" disabled={isWhole && rotate === 0} onClick={apply}>
            Apply
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex items-end gap-2">
          <Field label="Aspect ratio" className="grow">
            <Select
              options={shapes.map(({ value, label }) => ({ value, label }))}
              value={shape}
              onChange={(event) => {
                const chosen = shapes.find(({ value }) => value === event.target.value) ?? shapes[0]
                setShape(chosen.value)
                setPart(middleOf(all, chosen.ratio))
              }}
            />
          </Field>
          <IconButton label="Rotate left" icon={<RotateCcw size={16} />} onClick={() => turn(-90)} />
          <IconButton label="Rotate right" icon={<RotateCw size={16} />} onClick={() => turn(90)} />
        </div>
        <Stage
          url={one.url}
          alt={one.altText || name}
          rotate={rotate}
          all={all}
          part={part}
          onMove={(dx, dy) => setPart((now) => moved(now, dx, dy, all))}
          onSize={(dx, dy) => setPart((now) => sized(now, dx, dy, all, ratio))}
        />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {number('From left', part.x, (x) => moved(part, x - part.x, 0, all))}
          {number('From top', part.y, (y) => moved(part, 0, y - part.y, all))}
          {number('Width', part.width, (width) => sized(part, width - part.width, 0, all, ratio))}
          {number('Height', part.height, (height) => sized(part, 0, height - part.height, all, ratio))}
        </div>
      </div>
    </Dialog>
  )
}

type StageProps = {
  url: string
  alt: string
  rotate: number
  all: { width: number; height: number }
  part: Rect
  onMove: (dx: number, dy: number) => void
  onSize: (dx: number, dy: number) => void
}

/** The image with the selected part highlighted. The numbers below work without dragging. */
function Stage({ url, alt, rotate, all, part, onMove, onSize }: StageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const last = useRef<{ x: number; y: number }>(undefined)
  const percent = (value: number, of: number) => `${(value / of) * 100}%`
  const drag = (apply: (dx: number, dy: number) => void) => ({
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      last.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!last.current || !stage.current) return
      const scale = all.width / stage.current.clientWidth
      const [dx, dy] = [
        Math.round((event.clientX - last.current.x) * scale),
        Math.round((event.clientY - last.current.y) * scale),
      ]
      if (dx === 0 && dy === 0) return
      // less than a pixel of the image is kept for the next move
      last.current = { x: last.current.x + dx / scale, y: last.current.y + dy / scale }
      apply(dx, dy)
    },
    onPointerUp: () => {
      last.current = undefined
    },
  })
  const upright = rotate % 180 === 0
  return (
    <div className="grid place-items-center rounded-md bg-sunken p-3">
      <div
        ref={stage}
        className="relative touch-none overflow-hidden select-none"
        style={{
          aspectRatio: `${all.width} / ${all.height}`,
          width: `min(100%, calc(42dvh * ${all.width / all.height}))`,
        }}
      >
        <img
          src={url}
          alt={alt}
          draggable={false}
          className="absolute top-1/2 left-1/2 max-w-none"
          style={{
            width: upright ? '100%' : percent(all.height, all.width),
            height: upright ? '100%' : percent(all.width, all.height),
            transform: `translate(-50%, -50%) rotate(${rotate}deg)`,
          }}
        />
        <div
          {...drag(onMove)}
          data-crop
          className="absolute cursor-move border border-white shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]"
          style={{
            left: percent(part.x, all.width),
            top: percent(part.y, all.height),
            width: percent(part.width, all.width),
            height: percent(part.height, all.height),
          }}
        >
          <div
            aria-hidden
            className="pointer-events-none absolute inset-0 grid grid-cols-3 grid-rows-3 *:border *:border-white/25"
          >
            {Array.from({ length: 9 }, (_, i) => (
              <span key={i} />
            ))}
          </div>
          <div
            {...drag(onSize)}
            data-crop-corner
            className="absolute -right-px -bottom-px size-6 cursor-nwse-resize border-r-4 border-b-4 border-white"
          />
        </div>
      </div>
    </div>
  )
}

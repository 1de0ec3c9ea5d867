import Images from 'lucide-react/icons/images'
import Upload from 'lucide-react/icons/upload'
import { Suspense, useRef, useState, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { firstLetterOf } from '#contract/linkInBio/render.ts'
import { bytes } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { useEditor } from './EditorContext.ts'
import { usePictureUpload, type ChosenPicture } from './usePictureUpload.ts'

/** A dialog that takes a picture from the library. The screen brings it: features don't know each other. */
export type PictureLibrary = ComponentType<{ onPick: (picture: ChosenPicture) => void; onClose: () => void }>

/** The page's picture: uploaded, from the library, or none. */
export function PictureChoice({ Library }: { Library: PictureLibrary | undefined }) {
  const { state, dispatch, readOnly, problemOf } = useEditor()
  const { picture, name } = state.edited
  const [picking, setPicking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const put = (chosen: ChosenPicture | null) => dispatch({ type: 'changed', part: { picture: chosen } })
  const { sending, problem, upload, cancel } = usePictureUpload(put)
  const wrong = problem ?? problemOf('picture')
  const face = <Avatar name={firstLetterOf(name) || '?'} src={picture?.url} size={64} />
  if (readOnly) return face
  return (
    <FileTarget
      words="Drop a picture here"
      onFiles={([file]) => (file ? void upload(file) : undefined)}
      className="flex items-center gap-4"
    >
      {face}
      <div className="grid min-w-0 grow gap-1.5">
        {sending ? (
          <div className="grid max-w-80 gap-2">
            <Progress
              label="Uploading the picture"
              value={sending.sent}
              max={sending.bytes}
              note={`${bytes(sending.sent)} of ${bytes(sending.bytes)}`}
            />
            <Button size="s" className="justify-self-start" onClick={cancel}>
              Cancel upload
            </Button>
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <input
              ref={input}
              type="file"
              accept="image/*"
              hidden
              data-picture
              onChange={(event) => {
                const [file] = event.target.files ?? []
                if (file) void upload(file)
                // choosing the same file again must count as a change
                event.target.value = ''
              }}
            />
            <Button
              ref={chooser}
              data-field="picture"
              icon={<Upload size={14} aria-hidden />}
              onClick={() => input.current?.click()}
            >
              {picture ? 'Change picture' : 'Upload picture'}
            </Button>
            {Library ? (
              <Button icon={<Images size={14} aria-hidden />} onClick={() => setPicking(true)}>
                From the library
              </Button>
            ) : null}
            {picture ? (
              <Button
                tone="quiet"
                onClick={() => {
                  flushSync(() => put(null))
                  chooser.current?.focus()
                }}
              >
                Remove picture
              </Button>
            ) : null}
          </div>
        )}
        {wrong ? (
          <p role="alert" className="text-sm text-pretty text-bad">
            {wrong}
          </p>
        ) : (
          <p className="text-sm text-ink-muted">Shown as a circle. Without one, visitors see the first letter.</p>
        )}
      </div>
      {picking && Library ? (
        <Contained>
          <Suspense fallback={null}>
            <Library
              onClose={() => setPicking(false)}
              onPick={(chosen) => {
                setPicking(false)
                put(chosen)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </FileTarget>
  )
}

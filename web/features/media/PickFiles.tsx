import ImagePlus from 'lucide-react/icons/image-plus'
import { useRef } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'

/** Opens the system's own file dialog. */
export function PickFiles({
  label = 'Add images, a video or a PDF',
  accept = 'image/*,video/*,application/pdf',
  onFiles,
}: {
  label?: string
  /** What the dialog offers, as `<input>` has it. */
  accept?: string
  onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        hidden
        data-pick-files
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // choosing the same file again must count as a change
          event.target.value = ''
        }}
      />
      <IconButton label={label} icon={<ImagePlus size={17} />} onClick={() => input.current?.click()} />
    </>
  )
}

import ImagePlus from 'lucide-react/icons/image-plus'
import { useRef } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'

/** Opens the system's own file dialog. */
export function PickFiles({
  onFiles,
  disabled = false,
}: {
  onFiles: (files: readonly File[]) => void
  disabled?: boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,video/*,application/pdf"
        multiple
        hidden
        data-pick-files
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // choosing the same file again must count as a change
          event.target.value = ''
        }}
      />
      <IconButton
        label="Add images, a video or a PDF"
        icon={<ImagePlus size={17} />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  )
}

import { clsx } from 'clsx'
import ImagePlus from 'lucide-react/icons/image-plus'
import { useRef, useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'

/** Files dropped or pasted anywhere on its content are handed on. */
export function FileTarget({ onFiles, children, className }: { onFiles: (files: readonly File[]) => void; children: ReactNode; className?: string }) {
  const [over, setOver] = useState(false)
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    // a copied picture often brings its address as text along: the picture is what was meant
    event.preventDefault()
    onFiles(files)
  }
  return (
    <div
      onPaste={onPaste}
      onDragEnter={(event) => (holdsFiles(event) ? setOver(true) : undefined)}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
      className={clsx('relative', className)}
    >
      {children}
      {over ? <div className="pointer-events-none absolute inset-0 grid place-items-center rounded-md border-2 border-dashed border-accent bg-accent-soft/90 font-semibold text-accent">Drop pictures here</div> : null}
    </div>
  )
}

/** Opens the system's own file dialog. */
export function PickFiles({ onFiles, disabled = false }: { onFiles: (files: readonly File[]) => void; disabled?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-pick-files
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // choosing the same file again must count as a change
          event.target.value = ''
        }}
      />
      <IconButton label="Add pictures" icon={<ImagePlus size={17} />} disabled={disabled} onClick={() => input.current?.click()} />
    </>
  )
}

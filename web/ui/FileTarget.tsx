import { clsx } from 'clsx'
import { useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react'

/** Files dropped or pasted anywhere on its content are passed on; with `takes`, only those that come this way. */
export function FileTarget({
  onFiles,
  words = '',
  takes,
  children,
  className,
}: {
  onFiles: (files: readonly File[]) => void
  /** Shown over the content while files are dragged above it. */ words?: string
  takes?: 'dropped' | 'pasted'
  children: ReactNode
  className?: string
}) {
  const [over, setOver] = useState(false)
  const holdsFiles = (event: DragEvent) => takes !== 'pasted' && event.dataTransfer.types.includes('Files')
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || takes === 'dropped') return
    // a copied image often brings its URL as text along: the image is what was meant
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
      {over ? (
        <div className="pointer-events-none absolute inset-0 grid place-items-center rounded-md border-2 border-dashed border-accent bg-accent-soft/90 font-semibold text-accent">
          {words}
        </div>
      ) : null}
    </div>
  )
}

import { readPreview } from '#contract/media.ts'
import { addressOf } from '#web/lib/client.ts'
import { useProjectIds } from '#web/lib/project.ts'
import type { ReplyFile } from './replyFiles.ts'

/** The pictures of a reply that isn't on the platform yet. */
export function ReplyPictures({ files }: { files: readonly ReplyFile[] }) {
  const ids = useProjectIds()
  if (files.length === 0) return null
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-1.5">
      {files.map(({ assetId, fileName, altText }) => (
        <li key={assetId}>
          <img
            src={addressOf(readPreview, { params: { ...ids, assetId } })}
            alt={altText || fileName}
            className="size-32 rounded-md bg-sunken object-cover"
          />
        </li>
      ))}
    </ul>
  )
}

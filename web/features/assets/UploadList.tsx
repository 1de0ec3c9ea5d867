import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { bytes } from '#web/lib/format.ts'
import { unfinishedUploads } from '#web/lib/unfinishedUploads.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import type { Arriving, Uploads } from './useUploads.ts'

const words = { waiting: 'Waiting', uploading: 'Uploading', paused: 'Paused', reading: 'Checking', failed: '' } as const

/** Files being uploaded, and those refused with the reason. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.list.length === 0) return null
  return (
    <ul aria-label="Uploads" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {uploads.list.map((one) => (
        <Row key={one.key} one={one} uploads={uploads} />
      ))}
    </ul>
  )
}

function Row({ one: { key, file, sent, state, problem, isOverLimit }, uploads }: { one: Arriving; uploads: Uploads }) {
  return (
    <li className="flex flex-wrap items-center gap-2 px-3 py-2">
      <div className="min-w-48 grow basis-0">
        <p dir="auto" className="truncate font-medium">
          {file.name}
        </p>
        {state === 'failed' ? (
          <p role="alert" className="text-sm text-bad">
            {problem}
          </p>
        ) : (
          <>
            <Progress
              label={words[state]}
              value={sent}
              max={file.size}
              note={`${bytes(sent)} of ${bytes(file.size)}`}
            />
            {problem ? (
              <p role="status" className="mt-1 text-sm text-ink-muted">
                {problem}
              </p>
            ) : null}
          </>
        )}
      </div>
      {state === 'failed' ? (
        <Button size="s" onClick={() => uploads.retry(key)}>
          Try again
        </Button>
      ) : null}
      {isOverLimit ? (
        <Button size="s" onClick={unfinishedUploads.open}>
          Unfinished uploads
        </Button>
      ) : null}
      {state === 'uploading' ? (
        <IconButton
          label={`Pause ${file.name}`}
          size="s"
          icon={<Pause size={13} />}
          onClick={() => uploads.pause(key)}
        />
      ) : null}
      {state === 'paused' ? (
        <IconButton
          label={`Resume ${file.name}`}
          size="s"
          icon={<Play size={13} />}
          onClick={() => uploads.resume(key)}
        />
      ) : null}
      <IconButton
        label={state === 'failed' ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
        size="s"
        icon={<X size={13} />}
        onClick={() => uploads.remove(key)}
      />
    </li>
  )
}

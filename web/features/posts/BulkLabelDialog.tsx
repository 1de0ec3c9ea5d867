import { useState } from 'react'
import Tag from 'lucide-react/icons/tag'
import { listLabels } from '#contract/labels.ts'
import type { PostRow } from '#contract/postLists.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { carriedBy, type LabelChange } from './bulkLabels.ts'

type Props = { posts: readonly PostRow[]; busy: boolean; onApply: (change: LabelChange) => void; onClose: () => void }

/** Adds and removes labels of the chosen posts; untouched ones stay as they are. */
export function BulkLabelDialog({ posts, busy, onApply, onClose }: Props) {
  const labels = useCall(listLabels, { params: useProjectIds(), query: { state: 'ACTIVE' } }, { handles: true })
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(() => new Map())
  const change: LabelChange = {
    add: [...wanted].filter(([id, on]) => on && carriedBy(posts, id) !== 'all').map(([id]) => id),
    remove: [...wanted].filter(([id, on]) => !on && carriedBy(posts, id) !== 'none').map(([id]) => id),
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Labels for ${count(posts.length, 'post')}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            loading={busy}
            disabled={change.add.length + change.remove.length === 0}
            onClick={() => onApply(change)}
          >
            Save labels
          </Button>
        </>
      }
    >
      <Loaded
        query={labels}
        isEmpty={(reply) => reply.labels.length === 0}
        empty={
          <EmptyState className="py-6!" icon={<Tag size={20} />} title="No labels yet">
            Create one under Label, then Manage labels.
          </EmptyState>
        }
      >
        {(reply) => (
          <ul className="grid gap-2.5">
            {reply.labels.map((label) => {
              const carried = carriedBy(posts, label.labelId)
              const on = wanted.get(label.labelId)
              return (
                <li key={label.labelId}>
                  <Checkbox
                    mixed={on === undefined && carried === 'some'}
                    checked={on ?? carried === 'all'}
                    onChange={(event) => setWanted(new Map([...wanted, [label.labelId, event.target.checked]]))}
                    label={
                      <span className="flex min-w-0 items-center gap-2">
                        <LabelDot color={label.color} />
                        <span dir="auto" className="truncate">
                          {label.labelName}
                        </span>
                      </span>
                    }
                  />
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

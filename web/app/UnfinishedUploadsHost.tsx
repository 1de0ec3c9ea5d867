import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import Trash2 from 'lucide-react/icons/trash-2'
import { removeUnfinishedUpload, unfinishedUploads as endpoint } from '#contract/media.ts'
import { agoOf, bytes } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { refresh, useCall, useSend } from '#web/lib/queries.ts'
import { unfinishedUploads } from '#web/lib/unfinishedUploads.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'

/** Lists the person's unfinished uploads in the open project, each with a button to remove it. */
export default function UnfinishedUploadsHost() {
  const { orgId = '', projectId = '' } = useParams({ strict: false })
  const params = { orgId, projectId }
  const queries = useQueryClient()
  const now = useNow()
  const zone = useProjectZone()
  const query = useCall(endpoint, { params }, { staleTime: 0, handles: true })
  const remove = useSend(removeUnfinishedUpload, {
    // one that was finished or removed in the meantime leaves the list as well
    handles: ['NOT_FOUND'],
    onError: () => refresh(queries, endpoint),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) unfinishedUploads.close()
      }}
      title="Unfinished uploads"
      description="Files you started uploading to this project that didn't finish. Remove the ones you no longer need. Uploads still running in another tab will stop."
    >
      <Loaded query={query} isEmpty={({ uploads }) => uploads.length === 0} empty={<p>No unfinished uploads.</p>}>
        {({ uploads }) => (
          <ul aria-label="Unfinished uploads" className="divide-y divide-line rounded-lg border border-line">
            {uploads.map(({ assetId, displayName, bytes: size, startedAt }) => (
              <li key={assetId} className="flex items-center gap-2 px-3 py-2">
                <div className="min-w-0 grow">
                  <p dir="auto" className="truncate font-medium">
                    {displayName}
                  </p>
                  <p className="text-sm text-ink-muted">
                    {bytes(size)}, started {agoOf(startedAt, now, zone)}
                  </p>
                </div>
                <IconButton
                  label={`Remove ${displayName}`}
                  icon={<Trash2 size={15} />}
                  loading={remove.isPending && remove.variables.params.assetId === assetId}
                  onClick={() => remove.mutate({ params: { ...params, assetId } })}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

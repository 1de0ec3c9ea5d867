import RefreshCw from 'lucide-react/icons/refresh-cw'
import { readInboxNow } from '#contract/inbox/actions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toast } from '#web/ui/toast.ts'

/** Asks the platforms for what is new. It arrives as everything new does. */
export function ReadNow() {
  const ids = useProjectIds()
  const read = useSend(readInboxNow, {
    refreshes: [],
    onSuccess: ({ message = '' }) => toast.success(message),
  })
  return (
    <IconButton
      label="Check for new conversations"
      icon={<RefreshCw size={15} />}
      loading={read.isPending}
      onClick={() => read.mutate({ params: ids })}
    />
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deleteOrganization } from '#contract/dataRights.ts'
import { home } from '#contract/organizations.ts'
import type { Organization } from '#contract/orgSettings.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'

/** Asks for the exact name, then leads to /onboarding. */
export function DeleteOrganizationDialog({ org, onClose }: { org: Organization; onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const send = useSend(deleteOrganization, {
    refreshes: [],
    onSuccess: async ({ message }) => {
      toast.success(message ?? 'Organization deleted successfully')
      await queries.invalidateQueries({ queryKey: keyOf(home), refetchType: 'none' })
      await navigate({ to: '/onboarding' })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${org.orgName}?`}
      action="Delete organization"
      typedName={org.orgName}
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId: org.orgId } })}
    >
      <p>
        Every project, channel, post and file in it will be deleted. Publishing stops now, and members can't open it
        anymore. Published posts stay on the platforms.
      </p>
      <p className="mt-2">A paid plan is canceled and won't renew. Running promotions end.</p>
      <p className="mt-2">
        An admin can cancel the deletion within 7 days. The plan then continues if its period hasn't ended.
      </p>
    </ConfirmDialog>
  )
}

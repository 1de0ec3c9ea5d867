import { keepOrganisation } from '#contract/dataRights.ts'
import { home } from '#contract/organisations.ts'
import { organisation } from '#contract/orgSettings.ts'
import { zoneText } from '#web/lib/dates.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'

/** While the organisation is being deleted: when it will be gone, and the way to keep it. Nothing otherwise. */
export function DeletionBanner({ orgId, zone }: { orgId: string; zone: string }) {
  const found = useCall(organisation, { params: { orgId } }, { handles: true })
  const keep = useSend(keepOrganisation, {
    refreshes: [organisation, home],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'The organization stays')
    },
  })
  if (!found.data?.deletesAt) return null
  const { deletesAt, orgName } = found.data
  return (
    <Banner
      tone="bad"
      title={`${orgName} will be deleted on ${dateOf(deletesAt, zone)}, ${timeOf(deletesAt, zone)} (${zoneText(zone, new Date(deletesAt))})`}
      actions={
        <Button size="s" tone="primary" loading={keep.isPending} onClick={() => keep.mutate({ params: { orgId }, body: {} })}>
          Keep the organization
        </Button>
      }
    >
      Nothing is published meanwhile, and only its admins can enter. Then everything of it is gone for good.
    </Banner>
  )
}

import { keepOrganization } from '#contract/dataRights.ts'
import { billingStatus } from '#contract/billing.ts'
import { home, plan, type Home } from '#contract/organizations.ts'
import { organization } from '#contract/orgSettings.ts'
import { zoneText } from '#web/lib/dates.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'

export type Dying = Pick<Home['organizations'][number], 'orgId' | 'orgName'> & { deletesAt: string }

/** Cancels the deletion of an organization. */
export function useKeep({ orgId }: Pick<Dying, 'orgId'>) {
  const keep = useSend(keepOrganization, {
    refreshes: [organization, home, plan, billingStatus],
    onSuccess: ({ message }) => toast.success(message ?? 'Deletion canceled'),
  })
  return { isPending: keep.isPending, run: () => keep.mutate({ params: { orgId }, body: {} }) }
}

/** When it will be gone for good, with the zone of that time. */
export const endOf = (deletesAt: string, zone: string): string =>
  `${dateOf(deletesAt, zone)}, ${timeOf(deletesAt, zone)} (${zoneText(zone, new Date(deletesAt))})`

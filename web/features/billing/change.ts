import { useQueryClient } from '@tanstack/react-query'
import {
  addonDetails,
  billingStatus,
  confirmAddons,
  confirmFrequency,
  confirmPlan,
  excess,
  previewAddons,
  previewFrequency,
  previewPlan,
  pricing,
  teamUpgrade,
  transactions,
  type BillingInterval,
  type ChangePreview,
} from '#contract/billing.ts'
import { createAccess } from '#contract/channels.ts'
import { home, plan } from '#contract/organizations.ts'
import { call } from '#web/lib/client.ts'
import { toast } from '#web/ui/toast.ts'

/** A change of a paid plan: previewed first, then confirmed. */
export type Change =
  | { kind: 'addons'; addonQuantity: number }
  | { kind: 'annual' }
  | { kind: 'team'; addonQuantity: number; billingInterval: BillingInterval }

export function askPreview(orgId: string, change: Change, signal: AbortSignal): Promise<ChangePreview> {
  const params = { orgId }
  switch (change.kind) {
    case 'addons':
      return call(previewAddons, { params, body: { addonQuantity: change.addonQuantity }, signal })
    case 'annual':
      return call(previewFrequency, { params, body: {}, signal })
    case 'team':
    default:
      return call(previewPlan, {
        params,
        body: { addonQuantity: change.addonQuantity, billingInterval: change.billingInterval },
        signal,
      })
  }
}

/** Confirms the preview that was shown, and no other. */
export function confirmChange(
  orgId: string,
  kind: Change['kind'],
  { subscriptionId, previewId }: Pick<ChangePreview, 'subscriptionId' | 'previewId'>,
): Promise<{ message: string }> {
  const endpoint = { addons: confirmAddons, annual: confirmFrequency, team: confirmPlan }[kind]
  return call(endpoint, { params: { orgId }, body: { subscriptionId, previewId } })
}

/** What the plan decides: its own card, payments, the organization's numbers. */
const decided = [
  billingStatus,
  transactions,
  pricing,
  addonDetails,
  teamUpgrade,
  excess,
  plan,
  home,
  createAccess,
] as const

/** After a change: reloads everything that shows the plan, or the whole page if that fails; then shows the message. */
export function useAfterChange(): (message: string) => Promise<void> {
  const queries = useQueryClient()
  return async (message) => {
    try {
      await Promise.all(
        decided.map(({ path }) => queries.invalidateQueries({ queryKey: [path] }, { throwOnError: true })),
      )
    } catch {
      window.location.reload()
      return
    }
    toast.success(message)
  }
}

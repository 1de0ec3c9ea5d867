import {
  archiveCampaign,
  completeCampaign,
  deleteCampaign,
  disableCampaign,
  enableCampaign,
  restoreCampaign,
  type Campaign,
} from '#contract/campaigns.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'

/** The actions on a campaign. Everything except deleting happens at once and can be undone for 10 s from its toast. */
export function useCampaignActions() {
  const ids = useProjectIds()
  const enable = useSend(enableCampaign)
  const disable = useSend(disableCampaign)
  const archive = useSend(archiveCampaign)
  const restore = useSend(restoreCampaign)
  const complete = useSend(completeCampaign)
  const remove = useSend(deleteCampaign, {
    onSuccess: ({ message }) => toast.success(message ?? 'Campaign deleted successfully'),
  })

  const paramsOf = ({ campaignId }: Pick<Campaign, 'campaignId'>) => ({ params: { ...ids, campaignId } })
  const told = async (
    campaign: Campaign,
    call: Promise<{ message?: string | undefined }>,
    words: string,
    undo?: () => Promise<unknown>,
  ) => {
    // the global handling has already shown a refusal
    const reply = await call.catch(() => undefined)
    if (!reply) return
    const id = `campaign-${campaign.campaignId}`
    if (undo) toast.undo(reply.message ?? words, () => void undo().catch(() => undefined), { id })
    else toast.success(reply.message ?? words, { id })
  }

  return {
    /** Says how many posts will be published, and how many are late. */
    enable: (campaign: Campaign) => told(campaign, enable.mutateAsync(paramsOf(campaign)), 'Campaign enabled'),
    /** Says how many posts wait. */
    disable: (campaign: Campaign) =>
      told(campaign, disable.mutateAsync(paramsOf(campaign)), 'Campaign disabled', () =>
        enable.mutateAsync(paramsOf(campaign)),
      ),
    archive: (campaign: Campaign) =>
      told(campaign, archive.mutateAsync(paramsOf(campaign)), 'Campaign archived', async () => {
        await restore.mutateAsync(paramsOf(campaign))
        // restoring allows it to take posts again, which it didn't before
        if (campaign.completedAt) await complete.mutateAsync(paramsOf(campaign))
      }),
    restore: (campaign: Campaign) => told(campaign, restore.mutateAsync(paramsOf(campaign)), 'Campaign restored'),
    complete: (campaign: Campaign) =>
      told(campaign, complete.mutateAsync(paramsOf(campaign)), 'Campaign completed', () =>
        restore.mutateAsync(paramsOf(campaign)),
      ),
    remove: (campaign: Campaign, onDone: () => void) => remove.mutate(paramsOf(campaign), { onSuccess: onDone }),
    removing: remove.isPending,
  }
}

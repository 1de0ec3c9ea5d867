import { invoice } from '#contract/billing.ts'
import { useSend } from '#web/lib/queries.ts'

/** Opens a payment's PDF in a new tab. */
export function useDocument(orgId: string): { open: (transactionId: string) => void; isOpening: boolean } {
  const find = useSend(invoice)
  const open = (transactionId: string) => {
    // opened by the click itself: browsers block a tab that opens after a response
    const tab = window.open('', '_blank')
    find.mutate(
      { params: { orgId, transactionId } },
      {
        onSuccess: ({ url }) => {
          if (!tab) return window.location.assign(url)
          tab.opener = null
          tab.location.replace(url)
        },
        onError: () => tab?.close(),
      },
    )
  }
  return { open, isOpening: find.isPending }
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { decideByLink, readApprovalLink, type Approval } from '#contract/workflows.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ApprovalChanges } from './ApprovalChanges.tsx'
import { DecisionForm, type Verdict } from './DecisionForm.tsx'

/** What changed since the person outside the organization last decided, and the buttons to decide. */
export function LinkDecision({
  token,
  version,
  approval,
  open,
}: {
  token: string
  version: number
  approval: Approval
  open: boolean
}) {
  const queries = useQueryClient()
  const [refused, setRefused] = useState<ApiFailure>()
  const [sending, setSending] = useState<Verdict>()
  const send = useSend(decideByLink, {
    handles: true,
    refreshes: [readApprovalLink],
    onError: (failure) => {
      setRefused(failure)
      // the current content, or why nothing can be decided anymore
      if (failure.code === 'STALE_VERSION' || failure.code === 'POST_LOCKED' || failure.code === 'NOT_FOUND')
        refresh(queries, readApprovalLink)
    },
    onSettled: () => setSending(undefined),
  })
  const problem = refused?.errors['comment']?.[0]
  return (
    <>
      {approval.changes ? <ApprovalChanges changes={approval.changes} /> : null}
      {refused && problem === undefined ? (
        <Banner
          live
          tone={refused.code === 'STALE_VERSION' ? 'wait' : 'bad'}
          title={
            refused.code === 'STALE_VERSION'
              ? 'The post changed while you were looking at it.'
              : (refused.detail ?? refused.title)
          }
        >
          {refused.code === 'STALE_VERSION' ? "Your decision wasn't recorded. Review the new version below." : null}
        </Banner>
      ) : null}
      {open ? (
        // within reach of a thumb, however long the post is
        <div className="sticky bottom-3 z-10 rounded-lg border border-line bg-surface p-4 shadow-2">
          <DecisionForm
            size="l"
            sending={sending}
            problem={problem}
            onDecide={(decision, comment) => {
              setRefused(undefined)
              setSending(decision)
              send.mutate({ params: { token }, body: { version, decision, comment } })
            }}
          />
        </div>
      ) : null}
    </>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import MessageSquareQuote from 'lucide-react/icons/message-square-quote'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { CANNED_RESPONSES_MOST, deleteCannedResponse, listCannedResponses } from '#contract/inbox/cannedResponses.ts'
import { plan } from '#contract/organizations.ts'
import { CannedResponseDialog } from '#web/features/cannedResponses/CannedResponseDialog.tsx'
import { CannedResponseTable } from '#web/features/cannedResponses/CannedResponseTable.tsx'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'

const route = getRouteApi('/$orgId/project/$projectId/canned-responses')
const WHAT = "Save replies that your team uses often, with variables such as the person's name."

/** The canned responses of the project, or what they are where the plan lacks them. */
export default function CannedResponsesScreen() {
  const ids = useProjectIds()
  const { edit } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (response: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, edit: response }), replace: true })
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const closed = facts.data?.closed.includes('canned_responses') ?? false
  const found = useCall(listCannedResponses, { params: ids }, { handles: true, enabled: !facts.isPending && !closed })
  const may = {
    create: useMay([['canned_response', 'create']]) === 'yes',
    edit: useMay([['canned_response', 'edit']]) === 'yes',
    remove: useMay([['canned_response', 'delete']]) === 'yes',
  }
  const [asked, setAsked] = useState<string>()
  const remove = useSend(deleteCannedResponse, {
    onSuccess: ({ message }) => toast.success(message ?? 'Canned response deleted'),
    onSettled: () => setAsked(undefined),
  })
  const responses = found.data?.responses ?? []
  const deleting = responses.find(({ responseId }) => responseId === asked)
  const edited = responses.find(({ responseId }) => responseId === edit)
  const create = may.create ? (
    <Button icon={<Plus size={15} aria-hidden />} onClick={() => go('new')}>
      Create canned response
    </Button>
  ) : null
  if (closed)
    return (
      <Page title="Canned responses">
        <EmptyState
          icon={<MessageSquareQuote size={20} />}
          title={gateWords.canned_responses.title}
          action={
            <Button tone="primary" onClick={() => upgrade.open({ gate: 'canned_responses' })}>
              See plans
            </Button>
          }
        >
          {WHAT} {gateWords.canned_responses.text}
        </EmptyState>
      </Page>
    )
  return (
    <Page title="Canned responses" bar={<p className="text-ink-muted">{WHAT}</p>}>
      <Loaded
        query={found}
        isEmpty={(reply) => reply.responses.length === 0}
        empty={
          <EmptyState icon={<MessageSquareQuote size={20} />} title="No canned responses yet" action={create}>
            Write an answer once, and everyone on your team can use it.
          </EmptyState>
        }
      >
        {(reply) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="tnum text-sm text-ink-muted">
                {reply.responses.length} of {CANNED_RESPONSES_MOST}
              </span>
              {create}
            </div>
            <CannedResponseTable
              responses={reply.responses}
              may={may}
              onEdit={({ responseId }) => go(responseId)}
              onDelete={({ responseId }) => setAsked(responseId)}
            />
          </div>
        )}
      </Loaded>
      {edit === 'new' && may.create ? <CannedResponseDialog onClose={() => go(undefined)} /> : null}
      {edited && may.edit ? (
        <CannedResponseDialog key={edited.responseId} response={edited} onClose={() => go(undefined)} />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(undefined)}
          title="Delete this canned response?"
          action="Delete canned response"
          loading={remove.isPending}
          onConfirm={() => remove.mutate({ params: { ...ids, responseId: deleting.responseId } })}
        >
          {deleting.name} will no longer be available. Replies you've already sent aren't affected. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}

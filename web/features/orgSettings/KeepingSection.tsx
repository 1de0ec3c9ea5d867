import { useState } from 'react'
import { inboxKeepChoices, setInboxKeeping, type Organization } from '#contract/orgSettings.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { toast } from '#web/ui/toast.ts'

type Days = (typeof inboxKeepChoices)[number]
const words: Record<Days, string> = {
  90: '3 months',
  180: '6 months',
  365: '1 year',
  730: '2 years',
  1825: '5 years',
}
const options = inboxKeepChoices.map((days) => ({ value: String(days), label: words[days] }))

/** For how long the inbox keeps what others wrote. Less is asked about first: what it erases doesn't come back. */
export function KeepingSection({ org: { orgId, inboxKeepDays } }: { org: Organization }) {
  const mayEdit = useMay([['org_settings', 'edit']], { level: 'organization' }) === 'yes'
  const [less, setLess] = useState<Days | null>(null)
  const send = useSend(setInboxKeeping, {
    onSuccess: ({ message }) => {
      setLess(null)
      toast.success(message ?? 'Organization Details updated successfully')
    },
  })
  const keep = (days: Days) => send.mutate({ params: { orgId }, body: { inboxKeepDays: days } })
  const choose = (value: string) => {
    const days = inboxKeepChoices.find((choice) => String(choice) === value)
    if (days === undefined || days === inboxKeepDays) return
    if (days < inboxKeepDays) setLess(days)
    else keep(days)
  }
  return (
    <section aria-labelledby="inbox-keeping" className="grid gap-3 border-t border-line pt-5">
      <h2 id="inbox-keeping" className="font-bold">
        Inbox
      </h2>
      <Field label="Keep what others write for">
        <Select
          value={String(inboxKeepDays)}
          disabled={!mayEdit || send.isPending}
          options={options}
          onChange={(event) => choose(event.target.value)}
        />
      </Field>
      <p className="text-pretty text-ink-muted">
        Then the texts, pictures and names of comments, messages and reviews are erased here, not on the platform. That
        someone wrote, when, and your own answers stay. Some platforms require us to erase them sooner.
      </p>
      {less === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setLess(null)}
          title={`Keep them for ${words[less]} only?`}
          action="Erase older texts"
          loading={send.isPending}
          onConfirm={() => keep(less)}
        >
          <p>
            Within the next hours, we&apos;ll erase the texts, pictures and names of everything that others wrote more
            than {words[less]} ago, in all projects. That someone wrote, when, and your own answers stay.
          </p>
          <p>Choosing a longer time later won&apos;t bring them back.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createReportLink, listReportLinks, type ReportLink } from '#contract/reports/links.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Report } from '#contract/reports/reports.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { copy } from '#web/ui/copy.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { LinkRow } from './LinkRow.tsx'
import { linkDays } from './linkWords.ts'

type Props = { report: Report; unsaved: boolean; onClose: () => void }

/** Links under which people without an account see the report: new ones, and those that are open. */
export default function ShareDialog({ report, unsaved, onClose }: Props) {
  const params = { ...useProjectIds(), reportId: report.reportId }
  const found = useCall(listReportLinks, { params }, { handles: true })
  const mayEdit = useMay([['insights', 'edit']]) === 'yes'
  const [created, setCreated] = useState<{ linkId: string; address: string }>()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title="Share by link"
      description="Anyone with a link sees this report and its PDF, without an account. It shows the latest figures that your own role may see."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {unsaved ? (
          <p className="text-sm text-wait">Links show the report as it was last saved, without your changes.</p>
        ) : null}
        {created ? <NewAddress address={created.address} /> : null}
        {mayEdit ? (
          <NewLink
            key={created?.linkId}
            report={report}
            isFull={(found.data?.links.length ?? 0) >= REPORTS.links}
            onCreated={setCreated}
          />
        ) : null}
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={2} />}
          isEmpty={({ links }) => links.length === 0}
          empty={<p className="text-ink-muted">No open links.</p>}
        >
          {({ links }) => <Links links={links} reportId={report.reportId} mayEdit={mayEdit} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** The address of a new link. It's only known now. */
function NewAddress({ address }: { address: string }) {
  return (
    <div
      role="status"
      className="grid gap-2 rounded-md border border-l-3 border-line border-l-ok bg-surface px-3 py-2.5"
    >
      <p className="font-bold">Your link is ready</p>
      <div className="flex gap-2">
        <TextInput
          aria-label="Address of the new link"
          className="grow"
          readOnly
          value={address}
          onFocus={({ target }) => target.select()}
        />
        <Button tone="primary" icon={<Copy size={14} aria-hidden />} onClick={() => void copy(address, 'Link copied')}>
          Copy
        </Button>
      </div>
      <p className="text-sm text-ink-muted">Copy it now. You won't see it again.</p>
    </div>
  )
}

function NewLink({
  report,
  isFull,
  onCreated,
}: {
  report: Report
  isFull: boolean
  onCreated: (link: { linkId: string; address: string }) => void
}) {
  const params = { ...useProjectIds(), reportId: report.reportId }
  const form = useForm({ resolver: zodResolver(createReportLink.body), defaultValues: { linkName: '', days: 30 } })
  const { errors } = form.formState
  const create = useFormSend(createReportLink, form, { handles: ['LIMIT_EXCEEDED'], onSuccess: onCreated })
  if (isFull)
    return (
      <p className="text-sm text-ink-muted">
        A report has at most {REPORTS.links} open links. End one to create another.
      </p>
    )
  return (
    <form
      noValidate
      aria-label="New link"
      onSubmit={(event) => void form.handleSubmit((body) => create.mutate({ params, body }))(event)}
      className="grid gap-3"
    >
      <FormError errors={errors} />
      <div className="flex flex-wrap items-start gap-3">
        <Field label="Whom it's for" error={errors.linkName?.message} className="grow basis-48">
          <TextInput {...form.register('linkName')} autoComplete="off" placeholder="Harbor Coffee" />
        </Field>
        <Field label="Works for" error={errors.days?.message} className="basis-28">
          <Select {...form.register('days', { valueAsNumber: true })} options={linkDays} />
        </Field>
        <Button type="submit" tone="primary" loading={create.isPending} className="mt-6">
          Create link
        </Button>
      </div>
    </form>
  )
}

const Links = ({ links, reportId, mayEdit }: { links: readonly ReportLink[]; reportId: string; mayEdit: boolean }) => (
  <ul aria-label="Open links" className="grid divide-y divide-line rounded-lg border border-line">
    {links.map((link) => (
      <LinkRow key={link.linkId} link={link} reportId={reportId} mayEdit={mayEdit} />
    ))}
  </ul>
)

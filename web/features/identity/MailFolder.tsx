import { mailFolder } from '#contract/identity.ts'
import { useCall } from '#web/lib/queries.ts'

/** Where emails lie while no mail server is set: shown to people at the machine that the app runs on. */
export function MailFolder() {
  const { data } = useCall(mailFolder, {}, { staleTime: Infinity, handles: true })
  if (!data?.folder) return null
  return (
    <p className="text-ink-muted">
      No mail server is set up, so emails are written to{' '}
      <code className="font-mono break-all text-ink">{data.folder}</code> on this machine. The newest is the last.
    </p>
  )
}

import type { Organization } from '#contract/orgSettings.ts'
import { setSecurity } from '#contract/orgSettings.ts'
import { mySecurity } from '#contract/secondFactor.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { toast } from '#web/ui/toast.ts'

/** Whether members need a second factor. Only an admin who has one can require it. */
export function SecuritySection({ org, projectId }: { org: Organization; projectId: string }) {
  const { orgId, requireSecondFactor, withoutSecondFactor: without } = org
  const mayEdit = useMay([['org_settings', 'edit']], { level: 'organization' }) === 'yes'
  const mine = useCall(mySecurity, {}, { handles: true }).data
  const send = useSend(setSecurity, {
    onSuccess: ({ message }) => toast.success(message ?? 'Organization Details updated successfully'),
  })
  const hasOwn = mine === undefined || mine.totp || mine.passkeys.length > 0
  return (
    <section aria-labelledby="organization-security" className="grid gap-3 border-t border-line pt-5">
      <h2 id="organization-security" className="font-bold">
        Security
      </h2>
      <Switch
        label="Require two-factor authentication"
        checked={requireSecondFactor}
        disabled={!mayEdit || send.isPending || (!requireSecondFactor && !hasOwn)}
        onChange={(event) => send.mutate({ params: { orgId }, body: { requireSecondFactor: event.target.checked } })}
      />
      <p className="text-pretty text-ink-muted">
        Members without an authenticator app or a passkey can&apos;t open this organization until they set one up.
        {without > 0 ? ` ${count(without, 'member')} ${without === 1 ? "hasn't" : "haven't"} set one up yet.` : ''}
      </p>
      {hasOwn ? null : (
        <p className="text-pretty">
          <Link to="/$orgId/project/$projectId/profile" params={{ orgId, projectId }} hash="security">
            Set up two-factor authentication for your own account
          </Link>{' '}
          first.
        </p>
      )}
    </section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { leaveOrganization } from '#contract/members.ts'
import { home as homeEndpoint, type Home } from '#contract/organizations.ts'
import { count } from '#web/lib/format.ts'
import { useHome } from '#web/lib/project.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

type Organization = Home['organizations'][number]

/** The person's organizations, each with a button to leave. */
export function OrganizationList() {
  const home = useHome()
  const [leaving, setLeaving] = useState<Organization>()
  return (
    <Loaded
      query={home}
      skeleton={<SkeletonRows rows={1} />}
      isEmpty={({ organizations }) => organizations.length === 0}
      empty={<p className="text-ink-muted">You don't belong to an organization yet.</p>}
    >
      {({ organizations }) => (
        <>
          <ul aria-label="Organizations" className="divide-y divide-line rounded-lg border border-line bg-surface">
            {organizations.map((org) => (
              <li key={org.orgId} className="flex items-center gap-3 px-3 py-2.5">
                <Avatar square name={org.orgName} size={28} />
                <span className="grid min-w-0 grow">
                  <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                    <span dir="auto" className="truncate font-medium">
                      {org.orgName}
                    </span>
                    {org.isOrgAdmin ? <Badge>Admin</Badge> : null}
                  </span>
                  <span className="text-sm text-ink-muted">{count(org.projects.length, 'project')}</span>
                </span>
                <Button size="s" aria-label={`Leave ${org.orgName}`} onClick={() => setLeaving(org)}>
                  Leave
                </Button>
              </li>
            ))}
          </ul>
          {leaving ? <LeaveDialog organization={leaving} onEnd={() => setLeaving(undefined)} /> : null}
        </>
      )}
    </Loaded>
  )
}

function LeaveDialog({ organization, onEnd }: { organization: Organization; onEnd: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const here = useParams({ strict: false }).orgId === organization.orgId
  const leave = useSend(leaveOrganization, {
    refreshes: [],
    handles: ['LAST_ADMIN'],
    onSuccess: async () => {
      toast.success(`You left ${organization.orgName}`)
      onEnd()
      // its pages no longer exist for this person
      if (here) await navigate({ to: '/onboarding', replace: true })
      else refresh(queries, homeEndpoint)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onEnd())}
      title={`Leave ${organization.orgName}?`}
      action="Leave organization"
      loading={leave.isPending}
      onConfirm={() => leave.mutate({ params: { orgId: organization.orgId } })}
    >
      <div className="grid gap-3">
        {leave.error?.code === 'LAST_ADMIN' ? (
          <Banner live tone="bad" title={leave.error.detail ?? leave.error.title} />
        ) : null}
        <p>
          You'll lose access to its {count(organization.projects.length, 'project')} immediately. What you created
          stays, and posts you scheduled will still be published. Only an admin can invite you back.
        </p>
      </div>
    </ConfirmDialog>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/identity.ts'
import { home } from '#contract/organizations.ts'
import { organization, updateOrganization, type Organization } from '#contract/orgSettings.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { keyOf, useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { OrganizationFields, useOrganizationForm } from './OrganizationForm.tsx'

type Props = { orgId: string; user: User; onDone: () => void }

/** The wizard's first step again, for an existing organization. */
export function EditOrganization({ orgId, ...rest }: Props) {
  const found = useCall(organization, { params: { orgId } }, { staleTime: 0, handles: true })
  return (
    <Loaded query={found} skeleton={<SkeletonLines lines={5} />}>
      {(org) => <Edit org={org} {...rest} />}
    </Loaded>
  )
}

function Edit({ org, user, onDone }: Omit<Props, 'orgId'> & { org: Organization }) {
  const queries = useQueryClient()
  const { orgId, orgType, orgName, orgSize } = org
  const form = useOrganizationForm({ orgType, orgName, orgSize })
  const send = useFormSend(updateOrganization, form, {
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(home) })
      onDone()
    },
  })
  return (
    <OrganizationFields
      form={form}
      user={user}
      sending={send.isPending}
      onSubmit={(body) => send.mutate({ params: { orgId }, body })}
    />
  )
}

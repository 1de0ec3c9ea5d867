import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/identity.ts'
import { home } from '#contract/organisations.ts'
import { organisation, updateOrganisation, type Organisation } from '#contract/orgSettings.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { keyOf, useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { OrganisationFields, useOrganisationForm } from './OrganisationForm.tsx'

type Props = { orgId: string; user: User; onDone: () => void }

/** The wizard's first step again, for an organization that exists by now. */
export function EditOrganisation({ orgId, ...rest }: Props) {
  const found = useCall(organisation, { params: { orgId } }, { staleTime: 0, handles: true })
  return (
    <Loaded query={found} skeleton={<SkeletonLines lines={5} />}>
      {(org) => <Edit org={org} {...rest} />}
    </Loaded>
  )
}

function Edit({ org, user, onDone }: Omit<Props, 'orgId'> & { org: Organisation }) {
  const queries = useQueryClient()
  const { orgId, orgType, orgName, orgSize } = org
  const form = useOrganisationForm({ orgType, orgName, orgSize })
  const send = useFormSend(updateOrganisation, form, {
    changes: 'organisation',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(home) })
      onDone()
    },
  })
  return (
    <OrganisationFields
      form={form}
      user={user}
      sending={send.isPending}
      onSubmit={(body) => send.mutate({ params: { orgId }, body })}
    />
  )
}

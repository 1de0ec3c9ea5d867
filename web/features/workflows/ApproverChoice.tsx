import { useState } from 'react'
import { allUsers } from '#contract/members.ts'
import { Email } from '#contract/identity.ts'
import { listRoles } from '#contract/roles.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import type { Named } from './editing.ts'

const OUTSIDE = 'outside'
type Props = { step: number; taken: readonly Named[]; onAdd: (approver: Named) => void }

/** Adds a member, a role, or someone outside the organization who is asked by email. */
export function ApproverChoice({ step, taken, onAdd }: Props) {
  const ids = useProjectIds()
  const users = useCall(allUsers, { params: ids }, { handles: true, enabled: useMay([['user', 'view']]) === 'yes' })
  const roles = useCall(listRoles, { params: ids }, { handles: true, enabled: useMay([['role', 'view']]) === 'yes' })
  const mayAsk = useMay([['workflow', 'approve']]) === 'yes'
  const [asking, setAsking] = useState(false)
  const members = (users.data?.users ?? []).map(({ userId, firstName, lastName, email }): Named => ({
    kind: 'member',
    id: userId,
    name: `${firstName} ${lastName}`.trim() || email,
    gone: false,
  }))
  const holders = (roles.data?.roles ?? []).map(({ roleId, name }): Named => ({
    kind: 'role',
    id: roleId,
    name,
    gone: false,
  }))
  const free = [...holders, ...members].filter(({ id }) => !taken.some((one) => one.id === id))
  return (
    <div className="grid gap-2">
      <Select
        aria-label={`Add an approver to step ${step}`}
        value=""
        placeholder="Add an approver"
        options={[
          ...free.map(({ kind, id, name }) => ({ value: id, label: kind === 'role' ? `Any ${name}` : name })),
          {
            value: OUTSIDE,
            label: mayAsk ? 'Someone outside, by email' : 'Someone outside (only approvers can add them)',
            disabled: !mayAsk,
          },
        ]}
        onChange={({ target }) => {
          const chosen = free.find(({ id }) => id === target.value)
          if (chosen) onAdd(chosen)
          setAsking(target.value === OUTSIDE)
        }}
        className="max-w-72"
      />
      {asking ? (
        <Outside
          taken={taken}
          onCancel={() => setAsking(false)}
          onAdd={(approver) => {
            setAsking(false)
            onAdd(approver)
          }}
        />
      ) : null}
    </div>
  )
}

/** The name and address of someone who has no account. */
function Outside({
  taken,
  onAdd,
  onCancel,
}: {
  taken: readonly Named[]
  onAdd: (approver: Named) => void
  onCancel: () => void
}) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [tried, setTried] = useState(false)
  const email = Email.safeParse(address)
  const known = email.success && taken.some(({ id }) => id === email.data)
  const add = () => {
    setTried(true)
    if (name.trim() && email.success && !known)
      onAdd({ kind: 'external', id: email.data, name: name.trim(), gone: false })
  }
  return (
    <div
      role="group"
      aria-label="Someone outside"
      className="grid gap-2.5 rounded-md bg-sunken p-2.5 inset-ring inset-ring-line sm:grid-cols-2"
    >
      <Field label="Name" error={tried && !name.trim() ? 'A name is required' : undefined}>
        {/* asked for by the choice above */}
        <TextInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? [event.preventDefault(), add()] : undefined)}
        />
      </Field>
      <Field
        label="Email"
        error={
          known ? 'This address is already in the step' : tried && !email.success ? 'Enter an email address' : undefined
        }
      >
        <TextInput
          type="email"
          autoComplete="off"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? [event.preventDefault(), add()] : undefined)}
        />
      </Field>
      <div className="flex gap-2 sm:col-span-2">
        <Button size="s" onClick={add}>
          Add
        </Button>
        <Button size="s" tone="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

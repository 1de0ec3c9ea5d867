import X from 'lucide-react/icons/x'
import { useState, type KeyboardEvent } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { reportRecipients, type ReportSchedule, type ScheduleBody } from '#contract/reports/schedules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

const Address = z.email('Enter an email address').toLowerCase()

type Props = { form: UseFormReturn<ScheduleBody>; known: ReportSchedule['recipients'] }

/** Members and outside addresses that get the report. */
export function RecipientsField({ form, known }: Props) {
  const found = useCall(reportRecipients, { params: useProjectIds() }, { handles: true })
  const people = found.data?.people ?? []
  const userIds = useWatch({ control: form.control, name: 'userIds' })
  const emails = useWatch({ control: form.control, name: 'emails' })
  const { errors } = form.formState
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const others = people.filter(({ userId }) => !userIds.includes(userId))
  const put = (field: 'userIds' | 'emails', value: string[]) =>
    form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const addAddress = () => {
    const parsed = Address.safeParse(text.trim())
    if (!parsed.success) return setWrong(parsed.error.issues[0]?.message)
    if (emails.includes(parsed.data)) return setWrong('This address is already in the list')
    put('emails', [...emails, parsed.data])
    setText('')
    setWrong(undefined)
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter adds the address instead of sending the form
    event.preventDefault()
    addAddress()
  }
  const nameOf = (userId: string) =>
    people.find((one) => one.userId === userId)?.name ??
    known.find((one) => one.userId === userId)?.name ??
    'Someone who left'
  const problem = errors.userIds?.message ?? errors.emails?.message ?? emailProblem(errors.emails)
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-semibold">Who gets it</legend>
      {userIds.length + emails.length > 0 ? (
        <ul aria-label="Who gets it" className="divide-y divide-line rounded-md border border-line">
          {userIds.map((userId) => (
            <li key={userId} className="flex min-h-10 items-center gap-2 py-1 pr-1.5 pl-3">
              <Avatar name={nameOf(userId)} src={people.find((one) => one.userId === userId)?.profileUrl} size={22} />
              <span dir="auto" className="min-w-0 grow truncate">
                {nameOf(userId)}
              </span>
              <IconButton
                size="s"
                label={`Remove ${nameOf(userId)}`}
                icon={<X size={14} />}
                onClick={() =>
                  put(
                    'userIds',
                    userIds.filter((one) => one !== userId),
                  )
                }
              />
            </li>
          ))}
          {emails.map((email) => (
            <li key={email} className="flex min-h-10 items-center gap-2 py-1 pr-1.5 pl-3">
              <span className="min-w-0 grow truncate">{email}</span>
              {known.some((one) => one.userId === null && one.email === email) ? null : (
                <Badge tone="info">Will be asked</Badge>
              )}
              <IconButton
                size="s"
                label={`Remove ${email}`}
                icon={<X size={14} />}
                onClick={() =>
                  put(
                    'emails',
                    emails.filter((one) => one !== email),
                  )
                }
              />
            </li>
          ))}
        </ul>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Add a member" hint="They get what their own role may see.">
          <Select
            value=""
            placeholder={others.length === 0 ? 'Nobody else may see insights' : 'Choose a member'}
            disabled={others.length === 0}
            options={others.map(({ userId, name }) => ({ value: userId, label: name }))}
            onChange={({ target }) => (target.value === '' ? undefined : put('userIds', [...userIds, target.value]))}
          />
        </Field>
        <Field
          label="Add an email address"
          error={wrong}
          hint="They get one email that asks whether they want it. Nothing is sent before they agree."
        >
          <AddressInput
            text={text}
            onText={(next) => {
              setText(next)
              setWrong(undefined)
            }}
            onEnter={onEnter}
            onAdd={addAddress}
          />
        </Field>
      </div>
      {problem ? (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      ) : null}
    </fieldset>
  )
}

function AddressInput({
  text,
  onText,
  onEnter,
  onAdd,
}: {
  text: string
  onText: (text: string) => void
  onEnter: (event: KeyboardEvent) => void
  onAdd: () => void
}) {
  return (
    <div className="flex gap-2">
      <TextInput
        className="grow"
        type="email"
        inputMode="email"
        autoComplete="off"
        placeholder="client@example.com"
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onEnter}
      />
      <Button onClick={onAdd} disabled={text.trim() === ''}>
        Add
      </Button>
    </div>
  )
}

/** The message at one of the addresses. */
const emailProblem = (errors: unknown): string | undefined =>
  Array.isArray(errors)
    ? errors.flatMap((one: unknown) =>
        typeof one === 'object' && one !== null && 'message' in one && typeof one.message === 'string'
          ? [one.message]
          : [],
      )[0]
    : undefined

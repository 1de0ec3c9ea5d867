import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { createGoal, GoalBody, goalFigures, updateGoal, type Goal } from '#contract/analytics/goals.ts'
import { figureName, termOf } from '#contract/analytics/labels.ts'
import { allChannels } from '#contract/channels.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays, addMonths } from '#web/lib/dates.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { useToday } from '../useToday.ts'

type Props = { ids: ProjectIds; /** Absent for a new one. */ goal?: Goal | undefined; onClose: () => void }

/** Sets a goal, or changes one. */
export function GoalDialog({ ids, goal, onClose }: Props) {
  const today = useToday()
  const found = useCall(allChannels, { params: ids }, { handles: true })
  const channels = found.data?.channels ?? []
  const platforms = [...new Set(channels.map((channel) => channel.platformName))]
  const form = useForm({
    resolver: zodResolver(GoalBody),
    defaultValues: {
      goalName: goal?.goalName ?? '',
      figure: goal?.figure ?? 'followers',
      // empty until someone types a number
      target: goal?.target ?? Number.NaN,
      from: goal?.from ?? today,
      to: goal?.to ?? addDays(addMonths(today, 3), -1),
      platform: goal?.platform ?? null,
      channelIds: goal?.channelIds ?? null,
    },
  })
  const { errors } = form.formState
  const platform = useWatch({ control: form.control, name: 'platform' })
  const chosen = PlatformKey.safeParse(platform).data
  const done = (words: string) => ({
    handles: ['GOALS_FULL', 'NOT_FOUND'] as const,
    onSuccess: ({ message }: { message?: string | undefined }) => {
      toast.success(message ?? words)
      onClose()
    },
  })
  const create = useFormSend(createGoal, form, done('Goal created'))
  const update = useFormSend(updateGoal, form, done('Goal updated'))
  const submit = form.handleSubmit((body) =>
    goal ? update.mutate({ params: { ...ids, goalId: goal.goalId }, body }) : create.mutate({ params: ids, body }),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title={goal ? 'Edit goal' : 'Add goal'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="goal" tone="primary" loading={create.isPending || update.isPending}>
            {goal ? 'Save' : 'Add goal'}
          </Button>
        </>
      }
    >
      <form id="goal" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.goalName?.message}>
          <TextInput {...form.register('goalName')} autoComplete="off" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Figure" error={errors.figure?.message}>
            <Select
              {...form.register('figure')}
              options={goalFigures.map((name) => ({
                value: name,
                label: chosen ? termOf(chosen, 'channel', name) : figureName(name),
              }))}
            />
          </Field>
          <Field label="Target" error={errors.target?.message}>
            <TextInput
              {...form.register('target', { valueAsNumber: true })}
              type="number"
              min={1}
              step={1}
              inputMode="numeric"
            />
          </Field>
          {(['from', 'to'] as const).map((name) => (
            <Field key={name} label={name === 'from' ? 'First day' : 'Last day'} error={errors[name]?.message}>
              <Controller
                control={form.control}
                name={name}
                render={({ field }) => (
                  <DatePicker
                    label={name === 'from' ? 'First day' : 'Last day'}
                    value={field.value}
                    onChange={field.onChange}
                    today={today}
                  />
                )}
              />
            </Field>
          ))}
          <Field label="Platform">
            <Controller
              control={form.control}
              name="platform"
              render={({ field }) => (
                <Select
                  value={typeof field.value === 'string' ? field.value : ''}
                  onChange={(event) => {
                    field.onChange(event.target.value === '' ? null : event.target.value)
                    // one or the other
                    if (event.target.value !== '') form.setValue('channelIds', null)
                  }}
                  options={[
                    { value: '', label: 'All platforms' },
                    ...platforms.map((one) => ({ value: one, label: platformName(one) })),
                  ]}
                />
              )}
            />
          </Field>
          <Field label="Channels" error={errors.channelIds?.message}>
            <Controller
              control={form.control}
              name="channelIds"
              render={({ field }) => (
                <ChannelChoice
                  ref={field.ref}
                  channels={channels}
                  value={field.value ?? null}
                  onChange={field.onChange}
                  fixed={typeof platform === 'string' ? 'All of the platform' : undefined}
                />
              )}
            />
          </Field>
        </div>
      </form>
    </Dialog>
  )
}

import { useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { PROJECT } from '#contract/constants.ts'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'
import type { ProjectFormState } from './useProjectForm.ts'

/** A project's name, description, and the zone that its posts are planned in. */
export function ProjectFields({ form }: { form: ProjectFormState }) {
  const [now] = useState(() => new Date())
  const { errors } = form.formState
  const written = useWatch({ control: form.control, name: 'projectDesc' }).length
  return (
    <>
      <Field
        label="Project name"
        error={errors.projectName?.message}
        hint="For example, a brand, a client or a team with its own channels."
      >
        <TextInput {...form.register('projectName')} size="l" autoComplete="off" />
      </Field>
      <Field
        label="Description"
        optional
        error={errors.projectDesc?.message}
        aside={<span className="tnum">{`${written} of ${PROJECT.description}`}</span>}
      >
        <TextArea {...form.register('projectDesc')} rows={2} />
      </Field>
      <Field
        label="Time zone"
        error={errors.zone?.message}
        hint="We use it to schedule posts. You can set a different one for each channel later."
      >
        <Controller
          control={form.control}
          name="zone"
          render={({ field }) => <ZonePicker value={field.value} onChange={field.onChange} at={now} />}
        />
      </Field>
    </>
  )
}

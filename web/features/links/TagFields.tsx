import { useId } from 'react'
import { linkTagNames, TAG_MOST, type LinkTagName } from '#contract/links/details.ts'
import type { LinkSetting } from '#contract/links/settings.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

/** What a tag is for, in the words of those who read reports. */
const looks: Record<LinkTagName, { label: string; placeholder: string }> = {
  utm_source: { label: 'Source', placeholder: '{platform}' },
  utm_medium: { label: 'Medium', placeholder: 'social' },
  utm_campaign: { label: 'Campaign', placeholder: '{campaign}' },
  utm_term: { label: 'Term', placeholder: '' },
  utm_content: { label: 'Content', placeholder: '{channel}' },
}

export type TagErrors = Partial<Record<LinkTagName, string>>
type Props = {
  value: LinkSetting
  onChange: (value: LinkSetting) => void
  errors: TagErrors
  shortUrl: string
  disabled?: boolean
}

/** The five tags and whether links are shortened. */
export function TagFields({ value: { tags, shorten }, onChange, errors, shortUrl, disabled = false }: Props) {
  const hintId = useId()
  return (
    <div className="grid gap-4">
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        {linkTagNames.map((name) => (
          <Field
            key={name}
            label={looks[name].label}
            optional
            aside={<code className="text-xs">{name}</code>}
            error={errors[name]}
          >
            <TextInput
              value={tags[name] ?? ''}
              placeholder={looks[name].placeholder}
              maxLength={TAG_MOST}
              autoComplete="off"
              spellCheck={false}
              disabled={disabled}
              aria-describedby={hintId}
              onChange={({ target }) => onChange({ tags: { ...tags, [name]: target.value }, shorten })}
            />
          </Field>
        ))}
      </div>
      <p id={hintId} className="text-sm text-pretty text-ink-muted">
        Filled in for each post: <code>{'{platform}'}</code>, <code>{'{channel}'}</code>, <code>{'{campaign}'}</code>{' '}
        and <code>{'{date}'}</code>, the day it&apos;s published. Tags that a link has already are kept.
      </p>
      <Checkbox
        label="Shorten links"
        hint={`Links become ${shortUrl.replace(/^https?:\/\//, '')}/s/… and their clicks are counted.`}
        checked={shorten}
        disabled={disabled}
        onChange={({ target }) => onChange({ tags, shorten: target.checked })}
      />
    </div>
  )
}

import type { ComponentProps } from 'react'
import { BIO } from '#contract/linkInBio/limits.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { shortAddress } from './pageState.ts'

/** The last part of a page's address, with the whole address below it. */
export function SlugField({
  slug,
  error,
  ...input
}: { slug: string; error: string | undefined } & Omit<ComponentProps<'input'>, 'size'>) {
  const plain = slug.trim().toLowerCase()
  return (
    <Field
      label="Address"
      error={error}
      hint={
        <span dir="auto" className="wrap-anywhere">
          {shortAddress(`${location.origin}${bioPath('')}`)}
          <b className="font-semibold text-ink">{plain || '…'}</b>
        </span>
      }
    >
      <TextInput {...input} autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={BIO.slug.max + 10} />
    </Field>
  )
}

import { isBarred } from '#contract/checkPost.ts'
import { describePostProblem, problem } from '#contract/postProblems.ts'
import type { DetailField as FieldName, DetailRule, LookupKind } from '#contract/platforms/rules.ts'
import { detailNames, languageNames } from '#web/lib/detailFacts.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select, type Option } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { DisclosureField } from './DisclosureField.tsx'
import type { Details } from './doc.ts'
import { EventFields } from './EventFields.tsx'
import { LookupField, PeopleField } from './LookupField.tsx'
import { useLookup } from './useLookup.ts'

type Props = {
  /** The channel whose platform is asked for options. */ channelId: string
  /** Its post has images and no video. */ pictured: boolean
  /** Follows the label if several channels are shown separately. */ of?: string | undefined
  rule: DetailRule
  details: Details
  error: string | undefined
  onChange: (change: Details) => void
  /** Today, where the post is published. */ today: string
}

/** What the platform is asked for. */
const lookups: Partial<Record<FieldName, LookupKind>> = {
  boardId: 'boards',
  playlistId: 'playlists',
  categoryId: 'categories',
  placeId: 'places',
}
const hints: Partial<Record<FieldName, string>> = {
  contentWarning: 'Shown instead of the post until people choose to view it.',
}
const yesNo = [
  { value: 'yes', label: 'Yes, made for kids' },
  { value: 'no', label: 'No, not made for kids' },
]
const languages = [
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'ur',
  'vi',
  'zh',
]
  .map((value) => ({ value, label: languageNames.of(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

/** A field that only some platforms have, rendered from its rule. */
export function DetailField({ channelId, pictured, of, rule, details, error, onChange, today }: Props) {
  const { field, required, options, preset, max } = rule
  const label = of === undefined ? detailNames[field] : `${detailNames[field]}, ${of}`
  const frame = { label, optional: !required, error, ...(hints[field] && { hint: hints[field] }) }
  switch (field) {
    case 'peopleTags':
      return (
        <PeopleField
          channelId={channelId}
          frame={frame}
          value={details.peopleTags ?? []}
          onChange={(people) => onChange({ peopleTags: people.length > 0 ? people : undefined })}
        />
      )
    case 'madeForKids':
      return (
        <Field {...frame}>
          <Select
            placeholder="Choose"
            options={yesNo}
            value={details.madeForKids === undefined ? '' : details.madeForKids ? 'yes' : 'no'}
            onChange={({ target }) =>
              onChange({ madeForKids: target.value === '' ? undefined : target.value === 'yes' })
            }
          />
        </Field>
      )
    case 'languages':
      return (
        <Field {...frame}>
          <Select
            placeholder="Not set"
            options={languages}
            value={details.languages?.[0] ?? ''}
            onChange={({ target }) => onChange({ languages: target.value === '' ? undefined : [target.value] })}
          />
        </Field>
      )
    case 'callToAction':
      return <ActionFields frame={frame} options={options ?? []} details={details} onChange={onChange} />
    case 'offer':
      return <OfferFields details={details} error={error} onChange={onChange} />
    case 'event':
      return (
        <EventFields
          label={frame.label}
          value={details.event}
          error={error}
          today={today}
          onChange={(event) => onChange({ event })}
        />
      )
    case 'interactions':
      return (
        <InteractionFields
          label={frame.label}
          channelId={channelId}
          narrowedBy={rule.narrowedBy}
          options={(options ?? []).filter((option) => !pictured || option.with !== 'video')}
          details={details}
          onChange={onChange}
        />
      )
    case 'disclosure':
      return <DisclosureField label={frame.label} rule={rule} details={details} error={error} onChange={onChange} />
    case 'link':
    case 'boardId':
    case 'playlistId':
    case 'categoryId':
    case 'privacy':
    case 'placeId':
    case 'contentWarning':
    default: {
      const value = details[field]
      const set = (text: string) => onChange({ [field]: text === '' ? undefined : text })
      const kind = options ? undefined : lookups[field]
      if (kind) {
        const typed = (why: string) => (
          <Field {...frame} label={`${label} ID`} hint={why}>
            <TextInput maxLength={max} value={value ?? ''} onChange={({ target }) => set(target.value)} />
          </Field>
        )
        return (
          <LookupField
            channelId={channelId}
            kind={kind}
            frame={frame}
            value={value}
            onChange={(id) => onChange({ [field]: id })}
            typed={typed}
          />
        )
      }
      const open = options?.map((option) => ({ ...option, disabled: isBarred(option, details) }))
      const bar = options?.find((option) => isBarred(option, details))?.barredBy
      return (
        <Field {...frame} {...(bar && error === undefined && { hint: describePostProblem(problem(bar.problem)) })}>
          {open && rule.narrowedBy ? (
            <NarrowedSelect
              channelId={channelId}
              kind={rule.narrowedBy}
              options={open}
              value={value ?? ''}
              onChange={set}
            />
          ) : options ? (
            <Select
              {...(preset === undefined && { placeholder: 'Choose' })}
              options={options}
              value={value ?? preset ?? ''}
              onChange={({ target }) => set(target.value)}
            />
          ) : (
            <TextInput
              type={field === 'link' ? 'url' : 'text'}
              inputMode={field === 'link' ? 'url' : undefined}
              placeholder={field === 'link' ? 'https://' : undefined}
              maxLength={max}
              value={value ?? ''}
              onChange={({ target }) => set(target.value)}
            />
          )}
        </Field>
      )
    }
  }
}

/**
 * Only what the account may choose; everything if the platform doesn't say, which then refuses what it doesn't like.
 */
function NarrowedSelect({
  channelId,
  kind,
  options,
  value,
  onChange,
}: {
  channelId: string
  kind: LookupKind
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
}) {
  const offer = useLookup(channelId, kind, '')
  const offered =
    offer.kind === 'offered'
      ? options.filter((option) => option.value === value || offer.items.some(({ id }) => id === option.value))
      : options
  return (
    <Select
      placeholder={offer.kind === 'loading' ? 'Loading' : 'Choose'}
      disabled={offer.kind === 'loading'}
      options={offered}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

type PartProps = Pick<Props, 'details' | 'onChange'>

function ActionFields({
  frame,
  options,
  details: { callToAction },
  onChange,
}: PartProps & {
  frame: { label: string; optional: boolean; error: string | undefined }
  options: NonNullable<DetailRule['options']>
}) {
  // the platform dials the business's own number
  const asksAddress = callToAction !== undefined && callToAction.action !== 'CALL'
  return (
    <>
      <Field {...frame} error={asksAddress ? undefined : frame.error}>
        <Select
          placeholder="No button"
          options={options}
          value={callToAction?.action ?? ''}
          onChange={({ target }) =>
            onChange({ callToAction: target.value === '' ? undefined : { ...callToAction, action: target.value } })
          }
        />
      </Field>
      {asksAddress ? (
        <Field label="Button link" error={frame.error}>
          <TextInput
            type="url"
            placeholder="https://"
            value={callToAction.url ?? ''}
            onChange={({ target }) =>
              onChange({
                callToAction:
                  target.value === '' ? { action: callToAction.action } : { ...callToAction, url: target.value },
              })
            }
          />
        </Field>
      ) : null}
    </>
  )
}

function OfferFields({ details: { offer = {} }, error, onChange }: PartProps & { error: string | undefined }) {
  const set = (change: NonNullable<Details['offer']>) => {
    const entries = Object.entries({ ...offer, ...change }).filter(([, value]) => value !== '')
    onChange({ offer: entries.length > 0 ? Object.fromEntries(entries) : undefined })
  }
  return (
    <>
      <Field label="Coupon code" optional error={error}>
        <TextInput
          maxLength={58}
          value={offer.couponCode ?? ''}
          onChange={({ target }) => set({ couponCode: target.value })}
        />
      </Field>
      <Field label="Redeem link" optional>
        <TextInput
          type="url"
          placeholder="https://"
          value={offer.redeemUrl ?? ''}
          onChange={({ target }) => set({ redeemUrl: target.value })}
        />
      </Field>
      <Field label="Terms" optional className="sm:col-span-2">
        <TextArea
          rows={2}
          maxLength={5000}
          value={offer.terms ?? ''}
          onChange={({ target }) => set({ terms: target.value })}
        />
      </Field>
    </>
  )
}

const none = { comment: false, duet: false, stitch: false }
// the names of the parts are the contract's own
const actions = Object.keys(none) as (keyof typeof none)[]

function InteractionFields({
  label,
  channelId,
  narrowedBy,
  options,
  details: { interactions = none },
  onChange,
}: PartProps & {
  label: string
  channelId: string
  narrowedBy: LookupKind | undefined
  options: NonNullable<DetailRule['options']>
}) {
  const offer = useLookup(channelId, narrowedBy ?? 'creator', '')
  /** What the account's settings turn off at the platform stays off. */
  const isOff = (action: string) =>
    narrowedBy !== undefined && offer.kind === 'offered' && !offer.items.some(({ id }) => id === action)
  const shown = actions.flatMap((action) =>
    options
      .filter(({ value }) => value === action)
      .map((option) => ({ action, label: option.label, off: isOff(action) })),
  )
  return (
    <fieldset className="grid content-start gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {shown.map(({ action, label: name, off }) => (
          <Checkbox
            key={action}
            label={name}
            disabled={off}
            checked={!off && interactions[action]}
            onChange={({ target }) => onChange({ interactions: { ...interactions, [action]: target.checked } })}
          />
        ))}
      </div>
      {shown.some(({ off }) => off) ? (
        <p className="text-sm text-ink-muted">Options in gray are turned off in the account settings.</p>
      ) : null}
    </fieldset>
  )
}

import { useId, useRef, useState } from 'react'
import { PRODUCT_ACCENT, readableAccent } from '#contract/reports/accent.ts'
import { Accent, organizationBrand, setOrganizationBrand } from '#contract/reports/brand.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { BrandPreview } from './BrandPreview.tsx'
import { readLogo } from './logoFile.ts'

type Brand = ReplyOf<typeof organizationBrand>

/** The logo and the color of the organization's reports. */
export function BrandSection({ orgId }: { orgId: string }) {
  const found = useCall(organizationBrand, { params: { orgId } }, { handles: true })
  return (
    <section aria-labelledby="report-brand" className="grid gap-3 border-t border-line pt-5">
      <div className="grid gap-1">
        <h2 id="report-brand" className="font-bold">
          Reports
        </h2>
        <p className="text-pretty text-ink-muted">Covers of reports have your logo and your color.</p>
      </div>
      <Loaded query={found} skeleton={<SkeletonLines lines={3} />}>
        {(brand) => <BrandForm key={`${brand.accent} ${brand.logoUrl}`} orgId={orgId} brand={brand} />}
      </Loaded>
    </section>
  )
}

function BrandForm({ orgId, brand }: { orgId: string; brand: Brand }) {
  const mayEdit = useMay([['org_settings', 'edit']], { level: 'organization' }) === 'yes'
  const [text, setText] = useState(brand.accent ?? '')
  /** Undefined: it stays. Null: removed. */
  const [logo, setLogo] = useState<string | null>()
  const [problem, setProblem] = useState<string>()
  const accent = text.trim() === '' ? null : Accent.safeParse(text.trim())
  const wrong = accent && !accent.success ? accent.error.issues[0]?.message : undefined
  const color = accent?.success ? accent.data : null
  const save = useSend(setOrganizationBrand, {
    handles: ['MEDIA_REFUSED'],
    onSuccess: () => toast.success('Saved'),
    onError: (failure) =>
      failure.code === 'MEDIA_REFUSED' ? setProblem(failure.errors['logo']?.[0] ?? failure.detail) : undefined,
  })
  const isChanged = logo !== undefined || (color ?? '') !== (brand.accent ?? '')
  const shownLogo = logo === undefined ? brand.logoUrl : logo === null ? null : `data:image/png;base64,${logo}`
  const choose = async (file: File | undefined) => {
    setProblem(undefined)
    if (!file) return
    const read = await readLogo(file)
    if ('problem' in read) setProblem(read.problem)
    else setLogo(read.logo)
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged || wrong !== undefined || save.isPending) return
        save.mutate({ params: { orgId }, body: { accent: color, ...(logo === undefined ? {} : { logo }) } })
      }}
    >
      <fieldset disabled={!mayEdit} className="grid gap-4">
        <LogoChoice
          hasLogo={shownLogo !== null}
          problem={problem}
          onChoose={(file) => void choose(file)}
          onRemove={() => setLogo(null)}
        />
        <ColorField text={text} color={color} error={wrong} onChange={setText} />
      </fieldset>
      <BrandPreview accent={color} logo={shownLogo} />
      {mayEdit ? (
        <Button
          type="submit"
          tone="primary"
          aria-disabled={!isChanged || wrong !== undefined}
          loading={save.isPending}
          className="justify-self-start"
        >
          Save look of reports
        </Button>
      ) : null}
    </form>
  )
}

type LogoProps = {
  hasLogo: boolean
  problem: string | undefined
  onChoose: (file: File | undefined) => void
  onRemove: () => void
}

function LogoChoice({ hasLogo, problem, onChoose, onRemove }: LogoProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <FileTarget words="Drop the logo here" onFiles={([file]) => onChoose(file)} className="grid gap-1.5">
      <span className="text-sm font-semibold">Logo</span>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          data-logo
          onChange={(event) => {
            onChoose(event.target.files?.[0])
            // choosing the same file again must count as a change
            event.target.value = ''
          }}
        />
        <Button onClick={() => input.current?.click()}>{hasLogo ? 'Change logo' : 'Choose logo'}</Button>
        {hasLogo ? (
          <Button tone="quiet" onClick={onRemove}>
            Remove logo
          </Button>
        ) : null}
      </div>
      {problem ? (
        <p role="alert" className="text-sm text-pretty text-bad">
          {problem}
        </p>
      ) : (
        <p className="text-sm text-ink-muted">JPEG, PNG or WebP. A transparent background looks best on paper.</p>
      )}
    </FileTarget>
  )
}

type ColorProps = {
  text: string
  color: string | null
  error: string | undefined
  onChange: (text: string) => void
}

function ColorField({ text, color, error, onChange }: ColorProps) {
  const id = useId()
  const readable = readableAccent(color)
  return (
    <Field
      label="Color"
      optional
      error={error}
      hint={
        color !== null && readable !== color
          ? `Too light for text on paper, so text has ${readable} there.`
          : 'Empty: the color of Rookery.'
      }
    >
      <div className="flex items-center gap-2">
        <input
          id={`${id}-picker`}
          type="color"
          aria-label="Pick a color"
          value={color ?? PRODUCT_ACCENT}
          onChange={({ target }) => onChange(target.value)}
          className="h-8 w-10 cursor-pointer rounded-md border border-line-strong bg-surface p-0.5 pointer-coarse:h-10"
        />
        <TextInput
          className="max-w-40"
          placeholder="#1d4ed8"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </Field>
  )
}

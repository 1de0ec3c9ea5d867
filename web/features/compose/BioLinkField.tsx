import Link2 from 'lucide-react/icons/link-2'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { withScheme } from '#contract/linkInBio/links.ts'
import { listBioPages } from '#contract/linkInBio/pages.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

type BioPlace = { pageId: string; url: string }
type Props = {
  ids: ProjectIds
  place: BioPlace | null
  /** The link to begin with. */ firstLink: () => string
  error: string | undefined
  /** Its error is shown even before it was left: the person tried to submit. */ tried: boolean
  onChange: (place: BioPlace | null) => void
}

/** The post's place on a link in bio page: which page shows it once it's published, and where it leads from there. */
export default function BioLinkField({ ids, place: bioLink, firstLink, error, tried, onChange: change }: Props) {
  const list = useCall(listBioPages, { params: ids }, { handles: true })
  const [touched, setTouched] = useState(false)
  // the focus follows what a person opened or removed
  const [moved, setMoved] = useState<'in' | 'out'>()
  const opener = useRef<HTMLButtonElement>(null)
  const link = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (moved === 'in') link.current?.focus()
    if (moved === 'out') opener.current?.focus()
  }, [moved])
  const pages = list.data?.pages.filter(({ editable, pageId }) => editable || pageId === bioLink?.pageId) ?? []
  const [first] = pages
  if (!first) return null
  if (!bioLink) {
    return (
      <Button
        ref={opener}
        tone="quiet"
        size="s"
        className="justify-self-start"
        icon={<Link2 size={14} aria-hidden />}
        onClick={() => {
          setTouched(false)
          setMoved('in')
          change({ pageId: first.pageId, url: firstLink() })
        }}
      >
        Add to link in bio
      </Button>
    )
  }
  const remove = () => {
    change(null)
    setMoved('out')
  }
  return (
    <fieldset className="grid gap-2.5 rounded-md border border-line p-3">
      <legend className="sr-only">Link in bio</legend>
      <div className="flex items-center justify-between gap-3">
        <p className="text-sm text-ink-muted">Shown on your link in bio page once it&apos;s published.</p>
        <IconButton label="Don't add to link in bio" size="s" icon={<X size={14} aria-hidden />} onClick={remove} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Page">
          <Select
            options={pages.map(({ pageId, name, slug }) => ({ value: pageId, label: `${name} (${slug})` }))}
            value={bioLink.pageId}
            onChange={({ target }) => change({ ...bioLink, pageId: target.value })}
          />
        </Field>
        <Field label="Leads to" error={touched || tried ? error : undefined}>
          <TextInput
            ref={link}
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            value={bioLink.url}
            onChange={({ target }) => change({ ...bioLink, url: target.value })}
            onBlur={({ target }) => {
              setTouched(true)
              if (target.value !== withScheme(target.value)) change({ ...bioLink, url: withScheme(target.value) })
            }}
          />
        </Field>
      </div>
    </fieldset>
  )
}

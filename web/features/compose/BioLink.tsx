import Link2 from 'lucide-react/icons/link-2'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { withScheme } from '#contract/linkInBio/links.ts'
import { listBioPages } from '#contract/linkInBio/pages.ts'
import { addressesIn } from '#contract/platforms/webAddresses.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { BIO_LINK, errorAt } from './checks.ts'
import { useCheckResults, useComposer, useComposerState } from './ComposerContext.ts'

/** The post's place on a link in bio page: which page shows it once it's published, and where it leads from there. */
export default function BioLink() {
  const { store, ids, channels } = useComposer()
  const bioLink = useComposerState(({ doc }) => doc.bioLink)
  const mayEdit = useMay([['post', 'edit']]) === 'yes'
  const list = useCall(listBioPages, { params: ids }, { enabled: mayEdit, handles: true })
  const error = errorAt(useCheckResults().errors, channels, BIO_LINK)
  const [touched, setTouched] = useState(false)
  const tried = useComposerState(({ sending }) => sending.tried)
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
  const change = (next: typeof bioLink) => store.dispatch({ type: 'bioLinkChanged', bioLink: next })
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
          change({ pageId: first.pageId, url: firstLinkOf(store.state().doc.items) })
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

const firstLinkOf = (items: readonly { text: string }[]): string =>
  items.flatMap(({ text }) => addressesIn(text, 'written'))[0] ?? ''

import X from 'lucide-react/icons/x'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { withScheme } from '#contract/linkInBio/links.ts'
import { listBioPages } from '#contract/linkInBio/pages.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

type Place = { pageId: string; url: string }
type Props = {
  ids: ProjectIds
  place: Place | null
  /** The person has just opened it, to type. */ wasOpened: boolean
  /** The link to begin with. */ firstLink: () => string
  error: string | undefined
  /** Its error is shown even before it was left: the person tried to submit. */ tried: boolean
  onChange: (place: Place) => void
  onRemove: () => void
}

/** Which link in bio page shows the post once it's published, and where it leads from there. */
export default function BioLinkField({ ids, place, onRemove, ...rest }: Props) {
  const list = useCall(listBioPages, { params: ids }, { handles: true })
  const pages = list.data?.pages.filter(({ editable, pageId }) => editable || pageId === place?.pageId) ?? []
  const chosen = pages.find(({ pageId }) => pageId === place?.pageId) ?? pages[0]
  return (
    <fieldset className="grid gap-2.5 rounded-md border border-line p-3">
      <legend className="sr-only">Link in bio</legend>
      <Loaded query={list} skeleton={<SkeletonLines lines={2} label="Loading pages" />}>
        {() =>
          pages[0] ? (
            <>
              <Head onRemove={onRemove}>
                Shown on your link in bio page once it&apos;s published.
                {chosen?.live ? '' : " The page isn't live yet, so visitors don't see it."}
              </Head>
              <Fields pages={[pages[0], ...pages.slice(1)]} place={place} {...rest} />
            </>
          ) : (
            <Head onRemove={onRemove}>
              {'You need a page first. '}
              <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'link-in-bio' }}>
                Create a link in bio page
              </Link>
            </Head>
          )
        }
      </Loaded>
    </fieldset>
  )
}

function Head({ children, onRemove }: { children: ReactNode; onRemove: () => void }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="text-sm text-ink-muted">{children}</p>
      <IconButton label="Don't add to link in bio" size="s" icon={<X size={14} aria-hidden />} onClick={onRemove} />
    </div>
  )
}

type Page = { pageId: string; name: string; slug: string }
type FieldsProps = Omit<Props, 'ids' | 'onRemove'> & { pages: readonly [Page, ...Page[]] }

function Fields({ pages, place, wasOpened, firstLink, error, tried, onChange }: FieldsProps) {
  const [touched, setTouched] = useState(false)
  const link = useRef<HTMLInputElement>(null)
  const begin = useEffectEvent(() => {
    if (!place) onChange({ pageId: pages[0].pageId, url: firstLink() })
    // someone who went on meanwhile isn't interrupted
    if (wasOpened && document.activeElement === document.body) link.current?.focus()
  })
  useEffect(() => begin(), [])
  const { pageId, url } = place ?? { pageId: pages[0].pageId, url: '' }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Page">
        <Select
          options={pages.map((page) => ({ value: page.pageId, label: `${page.name} (${page.slug})` }))}
          value={pageId}
          onChange={({ target }) => onChange({ url, pageId: target.value })}
        />
      </Field>
      <Field label="Leads to" error={touched || tried ? error : undefined}>
        <TextInput
          ref={link}
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          onChange={({ target }) => onChange({ pageId, url: target.value })}
          onBlur={({ target }) => {
            setTouched(true)
            if (target.value !== withScheme(target.value)) onChange({ pageId, url: withScheme(target.value) })
          }}
        />
      </Field>
    </div>
  )
}

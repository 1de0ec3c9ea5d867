import { useWatch } from 'react-hook-form'
import type { BioView } from '#contract/linkInBio/render.ts'
import { Button } from '#web/ui/Button.tsx'
import { DeniedState } from '#web/ui/states.tsx'
import { CreateFields, useCreatePage } from './CreatePage.tsx'
import { Preview } from './Preview.tsx'

const example: Omit<BioView, 'name'> = {
  about: 'A few words about you.',
  theme: 'sand',
  picture: null,
  buttons: ['Shop', 'Newsletter', 'Book a table'].map((label) => ({ label, href: null })),
  posts: ['Your latest post', 'The one before', 'And another'].map((label) => ({ label, href: null, picture: null })),
  noindex: false,
  share: null,
  report: null,
}

/** What a link in bio page is, and the form that makes the first one. */
export function NoPageYet({
  name,
  mayEdit,
  onCreated,
}: {
  /** The project's. */ name: string
  mayEdit: boolean
  onCreated: (pageId: string) => void
}) {
  const creation = useCreatePage(name, onCreated)
  const typed = useWatch({ control: creation.form.control, name: 'name' })
  if (!mayEdit)
    return (
      <DeniedState title="No page yet">
        A link in bio page collects your links and posts under one address. Ask someone who can edit posts to create it.
      </DeniedState>
    )
  return (
    <div className="mx-auto grid w-full max-w-230 grid-cols-[minmax(0,1fr)] items-center gap-x-14 gap-y-8 py-4 lg:grid-cols-[minmax(0,1fr)_auto] lg:py-8">
      <div className="grid max-w-120 gap-5 max-lg:mx-auto">
        <div className="grid gap-1.5">
          <h2 className="text-2xl font-bold tracking-[-0.015em] text-balance">One link for everything you share</h2>
          <p className="text-pretty text-ink-muted">
            Profiles on social networks have room for one link. Put this page there: it has your buttons, and a grid of
            your posts, each with the link it’s about. You see what visitors click.
          </p>
        </div>
        <CreateFields id="first-bio-page" creation={creation} />
        <div className="grid justify-items-start gap-2">
          <Button type="submit" form="first-bio-page" tone="primary" size="l" loading={creation.creating}>
            Create page
          </Button>
          <p className="text-sm text-ink-muted">Only your project sees it until you make it live.</p>
        </div>
      </div>
      <figure className="grid gap-3 max-lg:hidden">
        <Preview view={{ ...example, name: typed.trim() || name }} />
        <figcaption className="text-center text-sm text-ink-muted">An example</figcaption>
      </figure>
    </div>
  )
}

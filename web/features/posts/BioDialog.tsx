import { useId, useState, type FormEvent } from 'react'
import { withScheme, BioUrl } from '#contract/linkInBio/links.ts'
import { addPostToBioPage, listBioPages } from '#contract/linkInBio/pages.ts'
import { addressesIn } from '#contract/platforms/webAddresses.ts'
import type { Post } from '#contract/posts.ts'
import { isFailure, type FailureCode } from '#web/lib/failure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const HANDLED: FailureCode[] = ['BAD_INPUT', 'NAME_TAKEN']

type Props = { post: Pick<Post, 'postId' | 'contents' | 'permalink'>; onClose: () => void }

/** Shows a published post first in the grid of a link in bio page. Its link begins as the first one in its text. */
export default function BioDialog({ post, onClose }: Props) {
  const ids = useProjectIds()
  const formId = useId()
  const list = useCall(listBioPages, { params: ids }, { handles: true })
  const pages = list.data?.pages.filter(({ editable }) => editable) ?? []
  const [chosen, setChosen] = useState<string>()
  const pageId = chosen ?? pages[0]?.pageId
  const isLive = pages.find((page) => page.pageId === pageId)?.live ?? true
  const [url, setUrl] = useState(() => firstLinkOf(post))
  const [error, setError] = useState<string>()
  const add = useSend(addPostToBioPage, {
    handles: HANDLED,
    onSuccess: (reply) => {
      toast.success(reply.message ?? 'Added to your link in bio')
      onClose()
    },
    onError: (failure) => {
      if (isFailure(failure, ...HANDLED)) setError(Object.values(failure.errors)[0]?.[0] ?? failure.detail)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const link = BioUrl.safeParse(withScheme(url))
    if (!link.success) return setError(link.error.issues[0]?.message)
    if (pageId !== undefined) add.mutate({ params: { ...ids, pageId }, body: { postId: post.postId, url: link.data } })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Add to link in bio"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {pages.length > 0 ? (
            <Button tone="primary" type="submit" form={formId} loading={add.isPending}>
              Add
            </Button>
          ) : null}
        </>
      }
    >
      <Loaded query={list} skeleton={<SkeletonLines lines={3} label="Loading pages" />}>
        {() =>
          pages.length === 0 ? (
            <p className="text-ink-muted">
              {'You need a page first. '}
              <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab: 'link-in-bio' }}>
                Create a link in bio page
              </Link>
            </p>
          ) : (
            <form id={formId} noValidate onSubmit={submit} className="grid gap-3">
              <Field label="Page" hint={isLive ? undefined : "This page isn't live yet, so visitors don't see it."}>
                <Select
                  options={pages.map((page) => ({ value: page.pageId, label: `${page.name} (${page.slug})` }))}
                  value={pageId}
                  onChange={({ target }) => setChosen(target.value)}
                />
              </Field>
              <Field label="Leads to" error={error} hint="Where visitors go when they open the post on your page.">
                <TextInput
                  inputMode="url"
                  autoComplete="off"
                  placeholder="https://"
                  value={url}
                  onChange={({ target }) => {
                    setError(undefined)
                    setUrl(target.value)
                  }}
                />
              </Field>
            </form>
          )
        }
      </Loaded>
    </Dialog>
  )
}

const firstLinkOf = ({ contents, permalink }: Props['post']): string =>
  contents.flatMap(({ text }) => addressesIn(text, 'written'))[0] ?? permalink ?? ''

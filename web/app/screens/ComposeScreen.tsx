import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { allChannels } from '#contract/channels.ts'
import { draftContents } from '#contract/drafts.ts'
import { plan as planEndpoint } from '#contract/organizations.ts'
import {
  allCopies,
  copyNameOf,
  keepCopy,
  readCopy,
  type CopyPlace,
  type LocalCopy,
} from '#web/features/compose/localCopies.ts'
import type { Post } from '#contract/posts.ts'
import { agoOf } from '#web/lib/format.ts'
import { newId } from '#web/lib/newId.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { DeniedState, EmptyState, ErrorState } from '#web/ui/states.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { PostComposer } from './compose/PostComposer.tsx'
import { SubmittedNote } from './compose/SubmittedNote.tsx'
import { useSession } from './compose/useSession.ts'

const route = getRouteApi('/$orgId/project/$projectId/compose')

/**
 * The composer: a new post, one that starts as a copy (`copy`), a draft (`draft`), or a planned or failed post
 * (`edit`).
 */
export default function ComposeScreen() {
  const home = useHome()
  const mayCreate = useMay([['post', 'create']])
  if (mayCreate === 'no') {
    return (
      <Page title="Create post">
        <DeniedState title="You can't create posts" />
      </Page>
    )
  }
  if (!home.data) {
    return (
      <Page title="Create post">
        {home.error ? (
          <ErrorState error={home.error} onRetry={() => void home.refetch()} retrying={home.isFetching} />
        ) : (
          <SkeletonLines lines={6} />
        )}
      </Page>
    )
  }
  return <Compose userId={home.data.user.userId} />
}

function Compose({ userId }: { userId: string }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const place = useMemo((): CopyPlace => ({ userId, projectId: ids.projectId }), [userId, ids.projectId])
  const channels = useCall(allChannels, { params: ids })
  const plan = useCall(planEndpoint, { params: { orgId: ids.orgId } })
  const session = useSession(
    ids,
    place,
    zone,
    { draft: search.draft, edit: search.edit, copy: search.copy },
    { channelIds: search.channelIds, day: search.date, clock: search.time },
  )
  const [now] = useState(() => new Date())
  const [left, setLeft] = useState(() => allCopies(place))
  const title = search.edit ? 'Edit post' : 'Create post'

  // what is on screen stays: someone is typing in it
  const failed = session.query.data && channels.data ? undefined : (session.query.error ?? channels.error)
  if (failed?.code === 'NOT_FOUND') {
    const kept = search.edit ? readCopy(place, copyNameOf(search.edit, true)) : undefined
    return (
      <Page title={title}>
        <EmptyState
          title={search.draft ? 'This draft is no longer available' : 'This post is no longer available'}
          action={
            <ButtonLink to="/$orgId/project/$projectId/compose" params={ids} tone="primary">
              Start a new post
            </ButtonLink>
          }
        >
          {search.draft
            ? "It was published, deleted, or belongs to a project that you can't see."
            : "It was permanently deleted, or belongs to a project that you can't see."}
        </EmptyState>
        {kept ? (
          <Field label="Your last text" hint="We saved it in this browser." className="mx-auto w-full max-w-104">
            <TextArea
              readOnly
              rows={6}
              value={draftContents(kept.draft)
                .map(({ text }) => text)
                .join('\n\n')}
            />
          </Field>
        ) : null}
      </Page>
    )
  }
  if (!session.query.data || !channels.data) {
    const retry = () => {
      void channels.refetch()
      void session.query.refetch()
    }
    return (
      <Page title={title}>
        {failed ? (
          <ErrorState error={failed} onRetry={retry} retrying={session.query.isFetching || channels.isFetching} />
        ) : (
          <SkeletonLines lines={8} label="Loading the composer" />
        )}
      </Page>
    )
  }

  const { post, editing } = session.query.data
  if (editing && post && !search.edit)
    return <SubmittedDraft key={post.postId} ids={ids} place={place} post={post} title={title} />

  const other =
    search.draft || search.edit || search.copy
      ? undefined
      : left.find(({ draftId }) => draftId !== session.query.data?.id)
  return (
    <>
      <PostComposer
        key={session.key}
        ids={ids}
        session={session.query.data}
        channels={channels.data.channels}
        scheduledCap={plan.data?.scheduledCap}
        place={place}
        onBegun={(draft) => void navigate({ search: { draft }, replace: true })}
        onReload={session.again}
      />
      {other ? (
        <div className="fixed right-5 bottom-20 z-20 w-93 max-w-[calc(100vw-40px)] shadow-2">
          <Banner
            tone="info"
            title={`Unsaved draft from ${agoOf(other.copy.keptAt, now, zone)}`}
            actions={
              <>
                <Button size="s" tone="primary" onClick={() => void navigate({ search: { draft: other.draftId } })}>
                  Continue editing
                </Button>
                <Button
                  size="s"
                  tone="quiet"
                  onClick={() => {
                    keepCopy(place, other.draftId, undefined)
                    setLeft(left.filter((one) => one !== other))
                  }}
                >
                  Discard
                </Button>
              </>
            }
          >
            <span dir="auto" className="line-clamp-2">
              {other.copy.draft.text || 'Images without text'}
            </span>
          </Banner>
        </div>
      ) : null}
    </>
  )
}

/** The URL names a draft that has become a post. What this browser still has of it can be kept. */
function SubmittedDraft({
  ids,
  place,
  post: { postId, status },
  title,
}: {
  ids: ProjectIds
  place: CopyPlace
  post: Post
  title: string
}) {
  const navigate = route.useNavigate()
  const [kept] = useState(() => readCopy(place, copyNameOf(postId, false)))
  const keepAsNew = ({ draft }: LocalCopy) => {
    const id = newId()
    keepCopy(place, id, { version: 0, draft })
    keepCopy(place, copyNameOf(postId, false), undefined)
    void navigate({ search: { draft: id } })
  }
  return (
    <Page title={title}>
      <div className="mx-auto grid w-full max-w-104 gap-4">
        <SubmittedNote
          ids={ids}
          draftId={postId}
          status={status}
          onKeepAsNew={kept ? () => keepAsNew(kept) : undefined}
        >
          {kept ? 'We saved your last text in this browser.' : null}
        </SubmittedNote>
        {kept ? (
          <Field label="Your last text">
            <TextArea
              readOnly
              rows={6}
              value={draftContents(kept.draft)
                .map(({ text }) => text)
                .join('\n\n')}
            />
          </Field>
        ) : (
          <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
            Start a new post
          </ButtonLink>
        )}
      </div>
    </Page>
  )
}

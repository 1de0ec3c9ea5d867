import { adviceFor, sentenceOf } from '#contract/failures/catalog.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { myChannels } from '#contract/channels.ts'
import type { PostRow } from '#contract/postLists.ts'
import { getPost, type Post } from '#contract/posts.ts'
import { canDo } from '#contract/postStates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { inWords, restOf } from './restOf.ts'
import type { usePostActions } from './usePostActions.ts'

type Props = {
  post: Post
  actions: ReturnType<typeof usePostActions>
  mayPublish: boolean
  mayEdit: boolean
  mayReconnect: boolean
  onMove: () => void
}

/** Why a post wasn't published, or may not have been: what happened, what didn't, and the one button that fixes it. */
export function FailureBox({ post, actions, mayPublish, mayEdit, mayReconnect, onMove }: Props) {
  if (post.status === 'UNCONFIRMED') return <Unconfirmed post={post} actions={actions} mayPublish={mayPublish} />
  if (!post.failure)
    return post.warning ? <NotEverything post={post} actions={actions} mayPublish={mayPublish} /> : null
  const { action, platformCode } = post.failure
  const reason = sentenceOf(post.failure)
  const mustAsk = action === 'reconnect' && !mayReconnect
  return (
    // a post that waits for its channel hasn't failed
    <Banner
      tone={post.status === 'FAILED' ? 'bad' : 'wait'}
      title={reason}
      actions={
        <FixPost
          post={post}
          actions={actions}
          mayPublish={mayPublish}
          mayEdit={mayEdit}
          mayReconnect={mayReconnect}
          onMove={onMove}
        />
      }
    >
      <p>{mustAsk ? 'Ask a project admin to reconnect the channel.' : adviceFor(post.failure)}</p>
      {platformCode ? <p className="mt-0.5 text-sm text-ink-muted">code {platformCode}</p> : null}
    </Banner>
  )
}

/**
 * The one action that fixes a post that wasn't published; nothing if there is none, or the role doesn't allow it. `row`
 * is for lists: on its own, and quieter.
 */
export function FixPost({
  post,
  actions,
  mayPublish,
  mayEdit,
  mayReconnect,
  onMove,
  row = false,
}: Omit<Props, 'post'> & { post: PostRow; row?: boolean }) {
  const tone = row ? 'default' : 'primary'
  // a row immediately shows what became of it
  const loading = actions.busy && !row
  const ids = useProjectIds()
  const platform = post.channel ? platformName(post.channel.platformName) : 'the channel'
  const mayRetry = mayPublish && canDo('retry', post.status)
  // a deleted post keeps its reason, and is restored first
  if (post.status === 'DELETED') return null
  switch (post.failure?.action) {
    case 'retry':
      return mayRetry ? (
        <Button size="s" tone={tone} loading={loading} onClick={() => void actions.retry(post)}>
          Retry
        </Button>
      ) : null
    case 'reconnect':
      return (
        <>
          {mayReconnect ? (
            <ButtonLink
              size="s"
              tone={tone}
              to="/$orgId/project/$projectId/channels"
              params={ids}
              search={{ reconnect: post.channel?.channelId }}
            >
              Reconnect {platform}
            </ButtonLink>
          ) : null}
          {mayRetry && !row ? (
            <Button size="s" tone="quiet" loading={loading} onClick={() => void actions.retry(post)}>
              Retry
            </Button>
          ) : null}
        </>
      )
    case 'edit':
      return mayEdit ? (
        <ButtonLink
          size="s"
          tone={tone}
          to="/$orgId/project/$projectId/compose"
          params={ids}
          search={{ edit: post.postId }}
        >
          Edit post
        </ButtonLink>
      ) : null
    case 'reschedule':
      return mayPublish ? (
        <Button size="s" tone={tone} onClick={onMove}>
          Reschedule
        </Button>
      ) : null
    case 'upgrade':
      return (
        <Button size="s" tone={tone} onClick={() => upgrade.open({ gate: 'plan_expired' })}>
          See plans
        </Button>
      )
    case 'none':
    case undefined:
      break
  }
  return post.failure?.class === 'paused' && post.channel ? (
    <ToChannels channelId={post.channel.channelId} tone={tone} />
  ) : null
}

/** Where a disabled channel is enabled. Nothing if something else pauses the post: an operator, or its campaign. */
function ToChannels({ channelId, tone }: { channelId: string; tone: 'primary' | 'default' }) {
  const ids = useProjectIds()
  const channels = useCall(myChannels, { params: ids }, { handles: true }).data?.channels
  if (channels?.find((channel) => channel.channelId === channelId)?.enabled !== false) return null
  return (
    <ButtonLink size="s" tone={tone} to="/$orgId/project/$projectId/channels" params={ids}>
      Open Channels
    </ButtonLink>
  )
}

/** The post is live; its follow-ups are retried from where they stopped, or a person resolves them. */
function NotEverything({ post, actions, mayPublish }: Pick<Props, 'post' | 'actions' | 'mayPublish'>) {
  const isUnsure = post.parts.some(({ state }) => state === 'unsure')
  const hasFailed = post.parts.some(({ state }) => state === 'failed')
  const buttons = isUnsure ? (
    <Settling post={post} actions={actions} />
  ) : hasFailed ? (
    <RetryRest post={post} actions={actions} />
  ) : null
  return (
    <Banner tone="wait" title="This post is live, but not everything worked." actions={mayPublish ? buttons : null}>
      {post.warning}
    </Banner>
  )
}

function RetryRest({ post, actions }: Pick<Props, 'post' | 'actions'>) {
  return (
    <Button size="s" tone="primary" loading={actions.busy} onClick={() => void actions.retryRest(post)}>
      Retry
    </Button>
  )
}

/** Nobody knows: the account is being checked, or that failed, as the post says. A person who looks can resolve it. */
function Unconfirmed({ post, actions, mayPublish }: Pick<Props, 'post' | 'actions' | 'mayPublish'>) {
  const platform = post.channel ? platformName(post.channel.platformName) : 'The platform'
  return (
    <Banner
      tone="wait"
      title={(post.failure && sentenceOf(post.failure)) ?? `${platform} didn't confirm whether this was published.`}
      actions={mayPublish ? <Settling post={post} actions={actions} /> : null}
    >
      {(post.failure && adviceFor(post.failure)) ??
        "We're checking the account to find out. We won't send it a second time in the meantime."}
    </Banner>
  )
}

/** The answers for a person who looked at the platform. */
function Settling({ post, actions }: Pick<Props, 'post' | 'actions'>) {
  return (
    <>
      <ItWasPublished post={post} actions={actions} />
      <Button size="s" loading={actions.busy} onClick={() => void actions.settle(post, 'send_again')}>
        It wasn't, send it again
      </Button>
      <Button size="s" tone="quiet" loading={actions.busy} onClick={() => void actions.settle(post, 'failed')}>
        It wasn't published
      </Button>
    </>
  )
}

function ItWasPublished({ post, actions }: Pick<Props, 'post' | 'actions'>) {
  const [asked, setAsked] = useState(false)
  const rest = restOf(post)
  const settle = () => void actions.settle(post, 'published')
  return (
    <>
      <ConfirmRest
        open={asked}
        onOpenChange={setAsked}
        rest={rest}
        onConfirm={() => {
          setAsked(false)
          settle()
        }}
      />
      <Button size="s" loading={actions.busy} onClick={() => (rest.length > 0 ? setAsked(true) : settle())}>
        It was published
      </Button>
    </>
  )
}

/** The same in a list, whose rows don't contain the rest of the post: it's loaded first. */
export function SettleInRow({ post, actions }: { post: PostRow } & Pick<Props, 'actions'>) {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const [rest, setRest] = useState<ReturnType<typeof restOf>>([])
  const settle = () => void actions.settle(post, 'published')
  const ask = async () => {
    const read = await queries
      .fetchQuery(callOptions(getPost, { params: { ...ids, postId: post.postId } }))
      // the global error handling has shown the reason
      .catch(() => undefined)
    if (!read) return
    const more = restOf(read)
    if (more.length > 0) setRest(more)
    else settle()
  }
  return (
    <span className="flex flex-wrap gap-1.5">
      <ConfirmRest
        open={rest.length > 0}
        onOpenChange={() => setRest([])}
        rest={rest}
        onConfirm={() => {
          setRest([])
          settle()
        }}
      />
      <Button size="s" onClick={() => void ask()}>
        It was published
      </Button>
      <Button size="s" onClick={() => void actions.settle(post, 'failed')}>
        It wasn't published
      </Button>
    </span>
  )
}

/** Nothing more of a post is sent once someone says that it was published: what would have followed is named. */
function ConfirmRest({
  open,
  onOpenChange,
  rest,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  rest: ReturnType<typeof restOf>
  onConfirm: () => void
}) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Was everything published?"
      action="It was published"
      danger={false}
      onConfirm={onConfirm}
    >
      {`This post continues with ${inWords(rest)}. We won't send anything more once you confirm. Check on the platform and add what's missing by hand.`}
    </ConfirmDialog>
  )
}

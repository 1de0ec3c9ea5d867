import { Fragment } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import type { ReplyOf } from '#contract/endpoint.ts'
import { readApprovalLink } from '#contract/workflows.ts'
import { LinkDecision } from '#web/features/approvals/LinkDecision.tsx'
import { PostPreview } from '#web/features/posts/preview/PostPreview.tsx'
import { ApprovedLinks } from '#web/features/approvals/ApprovedLinks.tsx'
import { detailFacts } from '#web/lib/detailFacts.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'
import { useCall } from '#web/lib/queries.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { linkPreview } from './approvals/linkPreview.ts'

const route = getRouteApi('/approve/$token')
type Asked = ReplyOf<typeof readApprovalLink>

/** The page of an external approver for one post: no account, and opening it decides nothing. */
export default function ApproveScreen() {
  const { token } = route.useParams()
  const query = useCall(readApprovalLink, { params: { token } }, { handles: true, staleTime: 0 })
  if (query.data) return <Answer asked={query.data} token={token} />
  if (!query.error) {
    return (
      <main id="main" className="mx-auto w-full max-w-130 px-4 pt-[12vh]">
        <SkeletonLines lines={6} label="Loading the post" />
      </main>
    )
  }
  const unknown = query.error.code === 'NOT_FOUND' || query.error.code === 'BAD_INPUT'
  if (unknown)
    return (
      <StandalonePage
        title="This link doesn't work"
        lead="It's incomplete or has expired. Open the link in the latest email, or ask the person who sent it."
      >
        {null}
      </StandalonePage>
    )
  return (
    <StandalonePage title="Approval">
      <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    </StandalonePage>
  )
}

function Answer({ asked, token }: { asked: Asked; token: string }) {
  const { post, approval, state, orgName, projectName, approver } = asked
  if (state === 'passed') {
    const { title, lead } = endWords(asked)
    return (
      <StandalonePage title={title} lead={lead}>
        {null}
      </StandalonePage>
    )
  }
  const on = post.channel ? ` on ${platformName(post.channel.platformName)}` : ''
  return (
    <StandalonePage
      title={state === 'decided' ? 'Your decision is saved' : 'Approve this post?'}
      lead={
        state === 'decided'
          ? "Thank you. We've let the team know, and you don't need to do anything else."
          : `${approval.sentBy || projectName} from ${orgName} asks ${approver} for approval. Nothing is decided until you press a button.`
      }
    >
      <div className="grid gap-5">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
          <dt className="text-ink-muted">Publishes</dt>
          <dd className="min-w-0">
            {post.dueAt ? (
              <>
                <time dateTime={post.dueAt} className="tnum">
                  {dayAndTimeOf(post.dueAt, post.timezone)}
                </time>{' '}
                <ZoneNote zone={post.timezone} at={new Date(post.dueAt)} />
              </>
            ) : post.schedule.type === 'QUEUE' ? (
              "In the queue, once it's approved"
            ) : (
              "As soon as it's approved"
            )}
          </dd>
          {post.channel ? (
            <>
              <dt className="text-ink-muted">Account</dt>
              <dd dir="auto" className="min-w-0 wrap-anywhere">{`${post.channel.channelName}${on}`}</dd>
            </>
          ) : null}
          {detailFacts(post).map(({ name, value }) => (
            <Fragment key={name}>
              <dt className="text-ink-muted">{name}</dt>
              <dd dir="auto" className="min-w-0 wrap-anywhere">
                {value}
              </dd>
            </Fragment>
          ))}
        </dl>
        <section aria-label="The post" className="min-w-0">
          <PostPreview post={linkPreview(post, token)} />
        </section>
        {post.firstComment ? (
          <section className="grid gap-1">
            <h2 className="text-sm font-semibold text-ink-muted">First comment</h2>
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {post.firstComment}
            </p>
          </section>
        ) : null}
        <ApprovedLinks post={post} />
        <LinkDecision token={token} version={post.version} approval={approval} open={state === 'open'} />
      </div>
    </StandalonePage>
  )
}

/** What happened to a link that has ended, and what the approver can do. */
function endWords({ ended, approval, orgName, projectName }: Asked): { title: string; lead: string } {
  const sender = approval.sentBy || `the team at ${orgName}`
  switch (ended) {
    case 'replaced':
      return {
        title: "There's a newer link",
        lead: `The post from ${projectName} changed, or you were reminded of it. Use the link in our latest email, which can take a few minutes to arrive.`,
      }
    case 'revoked':
      return {
        title: 'This link was turned off',
        lead: `Links to this version of the post no longer work, and we won't send another one. If you have questions, ask ${sender}.`,
      }
    case 'expired':
      return {
        title: 'This link has expired',
        lead: `The post from ${projectName} is still waiting for your approval. Ask ${sender} to send you a reminder. It comes with a new link.`,
      }
    case 'closed':
    case null:
    default:
      return {
        title: 'This link has ended',
        lead: `The post from ${projectName} was approved, rejected, changed or withdrawn in the meantime. You don't need to do anything.`,
      }
  }
}

import { getRouteApi } from '@tanstack/react-router'
import { topicWords, unsubscribe } from '#contract/notices.ts'
import { useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

const route = getRouteApi('/unsubscribe')

/** Where the link in a mail's head leads: asks first, since programs open links too. */
export default function UnsubscribeScreen() {
  const { token = '' } = route.useSearch()
  const stop = useSend(unsubscribe, { handles: true })
  const profile = (
    <ButtonLink to="/profile" hash="notices">
      Notification settings
    </ButtonLink>
  )
  if (stop.data) {
    const topics = stop.data.topics.map((topic) => topicWords[topic].label.toLowerCase())
    return (
      <StandalonePage
        title="You're unsubscribed"
        lead={
          topics.length > 0
            ? `You won't get any more emails about ${topics.join(', ')}. You'll still see these notifications in Rookery.`
            : 'You were already unsubscribed from these emails.'
        }
      >
        {profile}
      </StandalonePage>
    )
  }
  return (
    <StandalonePage
      title="Unsubscribe from these emails?"
      lead="You won't get any more emails on the topics in the email that brought you here. You'll still see these notifications in Rookery."
    >
      <div className="grid gap-4">
        {stop.error ? (
          <Banner tone="bad" title="We couldn't unsubscribe you">
            {stop.error.detail}
          </Banner>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" loading={stop.isPending} onClick={() => stop.mutate({ query: { token } })}>
            Unsubscribe
          </Button>
          {profile}
        </div>
      </div>
    </StandalonePage>
  )
}

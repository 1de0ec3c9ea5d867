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
        title="These mails have stopped"
        lead={
          topics.length > 0
            ? `No more mails about ${topics.join(', ')}. Rookery goes on telling you when you are logged in.`
            : 'There was nothing left to stop.'
        }
      >
        {profile}
      </StandalonePage>
    )
  }
  return (
    <StandalonePage
      title="Stop these mails?"
      lead="You no longer get mails about the topics of the mail that brought you here. Rookery goes on telling you when you are logged in."
    >
      <div className="grid gap-4">
        {stop.error ? (
          <Banner tone="bad" title="The mails could not be stopped">
            {stop.error.detail}
          </Banner>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" loading={stop.isPending} onClick={() => stop.mutate({ query: { token } })}>
            Stop these mails
          </Button>
          {profile}
        </div>
      </div>
    </StandalonePage>
  )
}

import { useMay } from '#web/lib/permissions.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { useCheckResults, useComposer } from './ComposerContext.ts'

/** In place of the channels in a project that has none: people can write, and are told what publishing needs. */
export function NoChannels() {
  const { ids } = useComposer()
  const { channelError } = useCheckResults()
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  return (
    <div className="grid gap-2">
      <Banner
        tone="info"
        title="No channels found in your account"
        actions={
          mayConnect ? (
            <ButtonLink
              size="s"
              to="/$orgId/project/$projectId/channels"
              params={ids}
              search={{ connect: 'list' }}
              aria-describedby={channelError ? 'channels-error' : undefined}
            >
              Connect a channel
            </ButtonLink>
          ) : null
        }
      >
        Start writing: we keep your draft. You need a channel only to publish it.
        {mayConnect ? '' : ' Ask a project admin to connect one.'}
      </Banner>
      {channelError ? (
        <p id="channels-error" role="alert" className="text-sm text-bad">
          {channelError}
        </p>
      ) : null}
    </div>
  )
}

import { use, useCallback, useEffect, useState } from 'react'
import { useConnection } from '#web/lib/connection.ts'
import { reloadIfUseful } from '#web/lib/newBuild.ts'
import { Page, PageChrome } from '#web/ui/Page.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'
import { ErrorState } from '#web/ui/states.tsx'

type Props = { /** Returns whether the screen has loaded now. */ tryAgain: () => Promise<boolean> }

/**
 * Replaces a screen whose code couldn't be loaded. Retries when the connection is back; if the server has a new build,
 * the page is reloaded.
 */
export function ScreenFailed({ tryAgain }: Props) {
  const [isTrying, setTrying] = useState(false)
  const isOnline = useConnection().kind === 'online'
  const isInside = use(PageChrome) !== null
  const again = useCallback(
    async (asked: boolean) => {
      setTrying(true)
      const isThere = (await tryAgain()) || (await reloadIfUseful(asked))
      if (!isThere) setTrying(false)
    },
    [tryAgain],
  )
  useEffect(() => {
    if (isOnline) void again(false)
    // on mount and whenever the connection is back; `again` is recreated on each render
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOnline])
  const state = (
    <ErrorState
      title="This page couldn't be loaded"
      error={
        isOnline
          ? { detail: "Part of Rookery didn't load. Check your connection, then try again." }
          : { code: 'NETWORK', detail: "We'll load this page when you're back online." }
      }
      onRetry={() => void again(true)}
      retrying={isTrying}
    />
  )
  if (isInside) return <Page title="Page not loaded">{state}</Page>
  return <StandalonePage title="Page not loaded">{state}</StandalonePage>
}

import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

type Props = {
  error?: unknown
  /** Asks the server again, where that may help. */ onRetry?: () => void
  retrying?: boolean
}

/** The server failed, or the app did. The link loads the app again, since what broke may be the app's own state. */
export default function ServerErrorScreen({ error, onRetry, retrying = false }: Props) {
  return (
    <StandalonePage title="500 Internal Server Error" lead="Oops! Something went wrong. Please try again later">
      <div className="flex flex-wrap gap-2">
        <a href="/" className={buttonClass({ tone: 'primary', size: 'l' })}>
          Go to Homepage
        </a>
        {onRetry ? (
          <Button size="l" onClick={onRetry} loading={retrying}>
            Try again
          </Button>
        ) : null}
      </div>
      {import.meta.env.DEV && error instanceof Error ? (
        <pre className="mt-6 overflow-x-auto rounded-md border border-line bg-surface p-3 text-xs">
          {error.stack ?? error.message}
        </pre>
      ) : null}
    </StandalonePage>
  )
}

import { buttonClass } from '#web/ui/buttonClass.ts'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

/** The router's error boundary. Its link loads the app anew, since what broke may be the app's own state. */
export default function ServerErrorScreen({ error }: { error?: unknown }) {
  return (
    <StandalonePage title="500 Internal Server Error" lead="Oops! Something went wrong. Please try again later">
      <a href="/" className={buttonClass({ tone: 'primary', size: 'l' })}>
        Go to Homepage
      </a>
      {import.meta.env.DEV && error instanceof Error ? (
        <pre className="mt-6 overflow-x-auto rounded-md border border-line bg-surface p-3 text-xs">
          {error.stack ?? error.message}
        </pre>
      ) : null}
    </StandalonePage>
  )
}

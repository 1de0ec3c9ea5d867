import { Link } from '#web/ui/Link.tsx'
import { Brand } from '#web/ui/StandalonePage.tsx'
import ProfileScreen from './screens/ProfileScreen.tsx'

/** The profile of someone who is in no project, or between two. */
export default function StandaloneProfile() {
  return (
    <div className="mx-auto grid max-w-200 gap-2">
      <header className="flex items-center justify-between gap-4 px-5 py-4">
        <Brand />
        <Link to="/onboarding">Back to Rookery</Link>
      </header>
      <main id="main">
        <ProfileScreen />
      </main>
    </div>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { logout } from '#contract/identity.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import { keptPosts } from '#web/lib/keptPosts.ts'
import type { LoginSearch } from '#web/lib/redirect.ts'
import { forgetAll } from '#web/lib/remember.ts'
import { toast } from '#web/ui/toast.ts'

/** Ends the session, forgets all cached data and local state, and goes to the login, which may lead on to an invitation. */
export function useLogOut(search: LoginSearch = {}): { logOut: () => void; leaving: boolean } {
  const router = useRouter()
  const queries = useQueryClient()
  const [leaving, setLeaving] = useState(false)
  const logOut = async () => {
    setLeaving(true)
    try {
      await call(logout)
    } catch (error) {
      // a session that has ended already is what we wanted
      if (!isFailure(error, 'UNAUTHORIZED')) {
        setLeaving(false)
        toast.error((isFailure(error) && error.detail) || "We couldn't log you out. Try again.")
        return
      }
    }
    await router.navigate({ to: '/login', search, replace: true })
    await queries.cancelQueries()
    queries.clear()
    await keptPosts.clear()
    forgetAll({ drafts: true })
    setLeaving(false)
  }
  return { logOut: () => void logOut(), leaving }
}

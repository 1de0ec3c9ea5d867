import { publicAddress } from '#contract/identity.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'

/**
 * Where the page was opened by http although this installation is reached by https: browsers then drop the session's
 * cookie, so a right password leads back here. Nothing elsewhere.
 */
export function PlainHttpNotice() {
  const isPlain = location.protocol === 'http:'
  const { data } = useCall(publicAddress, {}, { enabled: isPlain, staleTime: Infinity, handles: true })
  if (!isPlain || !data?.url.startsWith('https:')) return null
  const address = `${data.url}${location.pathname}${location.search}`
  return (
    <Banner tone="wait" live title="You can't log in at this address" className="mb-4">
      This page was opened by http, where your browser doesn't keep a login. Open{' '}
      <a href={address} className="font-semibold break-all underline">
        {data.url}
      </a>{' '}
      instead. If you run Rookery and it has no https yet, set PUBLIC_URL to the http address that people use.
    </Banner>
  )
}

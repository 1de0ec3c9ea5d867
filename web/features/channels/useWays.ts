import { connectWays } from '#contract/connect.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { connectForms } from './connectForms.ts'

/** How a platform is connected here; or why not. */
export type Way = {
  form: boolean
  page: boolean
  /** Development: a simulated account is connected with one click. */
  simulated: boolean
  /** An organization admin can set it up. */
  wantsApp: boolean
  /** Ways to sign in, of which one is chosen before leaving. */
  variants: readonly Variant[]
  problem: string | null
}
export type Variant = ReplyOf<typeof connectWays>['platforms'][number]['variants'][number]

/** Shown if the server gives no reason. */
export const NOT_SET_UP = 'Not set up yet'

/** How each platform is connected on this installation. */
export function useWays(ids: ProjectIds) {
  const query = useCall(connectWays, { params: ids }, { handles: true })
  const wayOf = (platform: PlatformKey): Way => {
    const said = query.data?.platforms.find((one) => one.platform === platform)
    const form = said?.form === true && connectForms[platform] !== undefined
    const page = said?.page === true
    return {
      form,
      page,
      simulated: said?.simulated === true,
      wantsApp: said?.wantsApp === true,
      variants: said?.variants ?? [],
      problem: form || page ? null : (said?.problem ?? NOT_SET_UP),
    }
  }
  return { query, wayOf }
}

import ChevronRight from 'lucide-react/icons/chevron-right'
import { Suspense, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { connectForms, formNames } from './connectForms.ts'
import { NotSetUp } from './NotSetUp.tsx'
import { PageConnect } from './PageConnect.tsx'
import type { ReturnTo } from './pending.ts'
import { useWays } from './useWays.ts'

type Props = {
  ids: ProjectIds
  platform: PlatformKey
  /** The channel to reconnect; absent for a new one. */
  channel?: Channel | undefined
  /** How it's reconnected, if differently than before. */
  variant?: string | undefined
  /** Where connecting with the platform's page ends. */
  returnTo: ReturnTo
  onConnected: (channel: Channel) => void
  onCancel: () => void
}

/**
 * Connects or reconnects an account on the platform: with its own page if that is set up, otherwise with a form,
 * otherwise says why not.
 */
export function ConnectAccount({ platform, returnTo, variant, ...rest }: Props) {
  const { query, wayOf } = useWays(rest.ids)
  const [typed, setTyped] = useState(false)
  return (
    <Loaded query={query} skeleton={<SkeletonLines lines={4} />}>
      {() => {
        const way = wayOf(platform)
        const Form = connectForms[platform]
        if (way.form && Form && (typed || !way.page)) {
          return (
            <Suspense fallback={<SkeletonLines lines={4} />}>
              <Form {...rest} />
            </Suspense>
          )
        }
        if (!way.page) return <NotSetUp ids={rest.ids} platform={platform} way={way} />
        return (
          <div className="grid gap-3">
            <PageConnect
              platform={platform}
              variants={way.variants}
              returnTo={returnTo}
              ids={rest.ids}
              channel={rest.channel}
              variant={variant}
              onCancel={rest.onCancel}
            />
            {way.form ? (
              <Button
                tone="quiet"
                size="s"
                icon={<ChevronRight size={14} aria-hidden />}
                onClick={() => setTyped(true)}
                className="-ml-2 justify-self-start"
              >
                {formNames[platform] ?? 'Enter the details instead'}
              </Button>
            ) : null}
          </div>
        )
      }}
    </Loaded>
  )
}

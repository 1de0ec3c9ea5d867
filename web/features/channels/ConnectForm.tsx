import { Suspense } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { connectForms, type ConnectFormProps } from './connectForms.ts'

/** The form that connects or reconnects an account of the platform. */
export function ConnectForm({ platform, ...rest }: ConnectFormProps & { platform: PlatformKey }) {
  const Form = connectForms[platform]
  return Form ? (
    <Suspense fallback={<SkeletonLines lines={4} />}>
      <Form {...rest} />
    </Suspense>
  ) : null
}

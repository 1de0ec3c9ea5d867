import type { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** One call that a person described by hand, because no description of a platform holds it. */
export type HandRule = {
  platforms: readonly PlatformKey[]
  /** Null: any, for federated servers. */
  host: RegExp | null
  method: string
  path: RegExp
  /** For a path that is described for other things as well: a field that only what is meant here takes. */
  with?: string
  /** Query and form together, as the old Graph takes them. */
  params?: z.ZodType
  json?: z.ZodType
  headers?: z.ZodType
  /** Names of files that a multipart body has to carry. */
  files?: readonly string[]
  token?: 'bearer' | 'basic' | 'none'
}

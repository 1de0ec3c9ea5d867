import type { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** A handwritten rule for a call that no API description has. */
export type HandRule = {
  platforms: readonly PlatformKey[]
  /** Null: any, for federated servers. */
  host: RegExp | null
  method: string
  path: RegExp
  /** If a path is described for other uses as well: a field that only this use has. */
  with?: string
  /** Query and form together, which the Graph API treats alike. */
  params?: z.ZodType
  json?: z.ZodType
  headers?: z.ZodType
  /** Names of the files that a multipart body must have. */
  files?: readonly string[]
  token?: 'bearer' | 'basic' | 'none'
}

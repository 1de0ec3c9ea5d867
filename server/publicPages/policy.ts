import { hash } from 'node:crypto'

/** The policy of a document with this style. */
export const policyFor = (style: string, more = "form-action 'none'"): string =>
  `default-src 'none'; img-src 'self'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ${more}; frame-ancestors 'none'; base-uri 'none'`

import type { Lookup } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { isClosed, isGone, refusalOf } from './refusals.ts'
import { FoundOrganizations } from './schemas.ts'

const CLOSED =
  'LinkedIn lets only channels that were connected with its Community Management API look Pages up, and no app looks members up. Add the mention on LinkedIn after publishing.'

/**
 * Pages by the name in their address, which is the only search that the Community Management API has for Pages of others
 * (learn.microsoft.com/linkedin, organizations/organization-lookup-api). Members are not found by any open call.
 */
export const people: Lookup = withSecret(async (reach, own, _account, { query }) => {
  if (!own.scopes.includes('rw_organization_admin')) return { kind: 'closed', reason: CLOSED }
  // spaces are hyphens in addresses
  const vanityName = query.trim().replace(/^@/, '').toLowerCase().replaceAll(/\s+/g, '-')
  if (vanityName === '') return { kind: 'found', items: [] }
  const found = await call(reach, own, {
    path: '/rest/organizations',
    query: { q: 'vanityName', vanityName },
    reply: FoundOrganizations,
  })
  if (found.kind !== 'ok') {
    if (isGone(found)) return { kind: 'found', items: [] }
    return isClosed(found)
      ? { kind: 'closed', reason: CLOSED }
      : refusalOf(found, { doing: 'look the Page up', irreversible: false })
  }
  return {
    kind: 'found',
    items: found.value.elements.map(({ id, localizedName: name, vanityName: address }) => ({
      id: `urn:li:organization:${id}`,
      name,
      detail: address ? `linkedin.com/company/${address}` : null,
      pictureUrl: null,
      insert: `@[${name}](urn:li:organization:${id})`,
    })),
  }
})

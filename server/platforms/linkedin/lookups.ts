import { because } from '#contract/failures/catalog.ts'
import type { Lookup } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { isClosed, isGone, refusalOf } from './refusals.ts'
import { FoundOrganizations } from './schemas.ts'

/**
 * Finds Pages by the name in their URL, the only search for others' Pages in the Community Management API
 * (learn.microsoft.com/linkedin, organizations/organization-lookup-api). No open API finds members.
 */
export const people: Lookup = withSecret(async (reach, own, _account, { query }) => {
  if (!own.scopes.includes('rw_organization_admin'))
    return { kind: 'closed', reason: because('linkedin-no-people-search') }
  // URLs have hyphens instead of spaces
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
      ? { kind: 'closed', reason: because('linkedin-no-people-search') }
      : refusalOf(found, { doing: 'find-page', irreversible: false })
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

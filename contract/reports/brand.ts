import { z } from 'zod'
import { Done, Id, OrgParams } from '../common.ts'
import { anyMember, endpoint, orgAdmins } from '../endpoint.ts'
import { PictureData } from '../profile.ts'

/* How an organization's reports look: a logo and a color. */

export const Accent = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Enter a color such as #1d4ed8')
  .toLowerCase()

export const organizationBrand = endpoint({
  method: 'GET',
  path: '/api/:orgId/brand',
  summary: "Get the logo and the color of the organization's reports",
  access: anyMember,
  cost: 'light',
  reads: ['organization'],
  params: OrgParams,
  reply: z.object({
    /** Null: the product's own. */
    accent: z.string().nullable(),
    logoUrl: z.string().nullable(),
  }),
  audit: null,
})
export const setOrganizationBrand = endpoint({
  method: 'PUT',
  path: '/api/:orgId/brand',
  summary:
    "Set the color of the organization's reports, and its logo. Where the color would be hard to read, reports use a darker one",
  access: orgAdmins,
  cost: 'media',
  changes: ['organization'],
  params: OrgParams,
  bodyLimit: 3_000_000,
  body: z.object({
    accent: Accent.nullable(),
    /** A new logo; null removes it; without it, it stays. Its type is read from the content. */
    logo: PictureData.nullable().optional(),
  }),
  reply: Done,
  errors: ['MEDIA_REFUSED'],
  audit: { action: 'updated', entity: 'organization' },
})
export const organizationLogo = endpoint({
  method: 'GET',
  path: '/api/:orgId/brand/:logoId',
  summary: "Get the organization's logo as PNG. A new logo gets a new URL",
  access: anyMember,
  cost: 'light',
  reads: [],
  params: OrgParams.extend({ logoId: Id }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})

import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { organizationBrand, organizationLogo, setOrganizationBrand } from '#contract/reports/brand.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const orgOf = () => ({ orgId: home.orgId })
const brand = (who: TestPerson = home.person) => app.call(organizationBrand, { params: orgOf() }, { as: who })
const set = (body: CallOf<typeof setOrganizationBrand>['body'], who: TestPerson = home.person) =>
  app.send(setOrganizationBrand, { params: orgOf(), body }, { as: who })
const logo = (address: string | null, who: TestPerson = home.person, orgId = home.orgId) =>
  app.send(organizationLogo, { params: { orgId, logoId: address?.split('/').at(-1) ?? '' } }, { as: who })
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 10, b: 10, alpha: 0.5 } } })

describe("the look of an organization's reports", () => {
  it('has a color and a logo, which is redrawn as a small PNG that keeps its transparency', async () => {
    expect(await brand()).toEqual({ accent: null, logoUrl: null })
    const jpeg = await picture(2000, 500)
      .webp()
      .withMetadata({ exif: { IFD0: { Artist: 'Ada' } } })
      .toBuffer()
    await set({ accent: '#1D4ED8', logo: jpeg.toString('base64') })
    const { accent, logoUrl } = await brand()
    expect(accent).toBe('#1d4ed8')
    const file = await logo(logoUrl)
    expect(file.headers['content-type']).toBe('image/png')
    const { width, height, hasAlpha, exif } = await sharp(file.rawPayload).metadata()
    expect({ width, height, hasAlpha, exif }).toEqual({ width: 720, height: 180, hasAlpha: true, exif: undefined })
    // the color alone, then without either
    await set({ accent: '#b91c1c' })
    expect(await brand()).toEqual({ accent: '#b91c1c', logoUrl })
    await set({ accent: null, logo: null })
    expect(await brand()).toEqual({ accent: null, logoUrl: null })
    expect((await logo(logoUrl)).statusCode).toBe(404)
  })

  it.for<[string, CallOf<typeof setOrganizationBrand>['body'], string]>([
    ['a color that is none', { accent: 'red;}' }, 'accent'],
    ['a short color', { accent: '#abc' }, 'accent'],
    ['a file that is no picture', { accent: null, logo: Buffer.from('<svg onload="x"/>').toString('base64') }, 'logo'],
    ['text that is no file', { accent: null, logo: 'é' }, 'logo'],
  ])('refuses %s, and stores nothing', async ([, body, field]) => {
    await set({ accent: '#1d4ed8' })
    const refused = await set(body)
    expect([refused.statusCode >= 400 && refused.statusCode < 500, Object.keys(refused.json().errors)]).toEqual([
      true,
      [field],
    ])
    expect(await brand()).toEqual({ accent: '#1d4ed8', logoUrl: null })
  })

  it('is changed by admins, seen by members, and nobody else', async () => {
    const member = await app.colleague(home, 'editor')
    const stranger = await app.signedInOwner()
    await set({ accent: '#1d4ed8', logo: (await picture(10, 10).png().toBuffer()).toString('base64') })
    expect((await set({ accent: '#b91c1c' }, member)).statusCode).toBe(403)
    expect((await set({ accent: '#b91c1c' }, stranger.person)).statusCode).toBe(404)
    const { accent, logoUrl } = await brand(member)
    expect(accent).toBe('#1d4ed8')
    expect((await logo(logoUrl, member)).statusCode).toBe(200)
    expect((await logo(logoUrl, stranger.person)).statusCode).toBe(404)
    // under an address of their own organization
    expect((await logo(logoUrl, stranger.person, stranger.orgId)).statusCode).toBe(404)
    expect((await teamOn(app).lastAudit(home))?.detail).toEqual({ accent: '#1d4ed8', logo: true })
  })
})

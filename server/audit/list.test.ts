import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditFilters, exportAudit, listAudit } from '#contract/audit.ts'
import { readCsv } from '../bulk/csv.ts'
import { harmless } from '#contract/csv.ts'
import { createLabel } from '#contract/labels.ts'
import { appointAdmin } from '#contract/members.ts'
import { createProject } from '#contract/organizations.ts'
import { organization, renameProject, updateOrganization } from '#contract/orgSettings.ts'
import { assignRole } from '#contract/roles.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { TestHome } from '../testing/people.ts'
import { changesOf, presentChanges } from './changes.ts'
import { targetOf } from './target.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const list = (home: TestHome, query: Record<string, unknown> = {}) =>
  app.call(listAudit, { params: { orgId: home.orgId }, query }, { as: home.person })

/** A project, a label in it, and a new name for the project, an hour apart each. */
async function busyHome() {
  const home = await app.signedInOwner()
  const { projectId } = await app.call(
    createProject,
    { params: home.params, body: { projectName: 'Summer' } },
    { as: home.person },
  )
  app.clock.advance({ hours: 1 })
  await app.call(
    createLabel,
    { params: home.params, body: { labelName: '=HYPERLINK("https://evil.example")', color: 'blue' } },
    { as: home.person },
  )
  app.clock.advance({ hours: 1 })
  await app.call(
    renameProject,
    { params: { orgId: home.orgId }, body: { projectId, projectName: 'Autumn' } },
    { as: home.person },
  )
  return { ...home, made: projectId }
}

describe('the audit', () => {
  it('says who did what to which thing, newest first, with current names', async () => {
    const home = await busyHome()
    const { audits, pagination } = await list(home)
    expect(pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 3 })
    expect(audits).toMatchObject([
      {
        action: 'renamed',
        entityType: 'project',
        entityName: 'Autumn',
        projectName: 'Autumn',
        user: { userId: home.person.personId, firstName: 'Olive', lastName: 'Owner', profileUrl: null },
        timestamp: app.clock.now().toISOString(),
      },
      { action: 'created', entityType: 'label', entityName: '=HYPERLINK("https://evil.example")' },
      { action: 'created', entityType: 'project', entityName: 'Autumn' },
    ])
  })

  it('says what a change was about, with old and new values', async () => {
    const home = await app.signedInOwner()
    const { orgName } = await app.call(organization, { params: { orgId: home.orgId } }, { as: home.person })
    const cole = await app.colleague(home, 'user')
    await app.call(
      assignRole,
      {
        params: home.params,
        body: { userId: cole.personId, roleId: home.roles.editor, channelIds: null, publishing: 'full' },
      },
      { as: home.person },
    )
    app.clock.advance({ minutes: 1 })
    await app.call(
      appointAdmin,
      { params: { orgId: home.orgId, userId: cole.personId }, body: { isOrgAdmin: true } },
      { as: home.person },
    )
    app.clock.advance({ minutes: 1 })
    await app.call(
      updateOrganization,
      { params: { orgId: home.orgId }, body: { orgName: 'Other', orgType: 'organization', orgSize: '2-10' } },
      { as: home.person },
    )
    expect(
      (await list(home)).audits.map(({ action, entityName, targetValue, changes }) => [
        action,
        entityName,
        targetValue,
        ...changes.map(({ field, before, after }) => `${field}: ${before} -> ${after}`),
      ]),
    ).toEqual([
      ['updated', 'Other', null, `Name: ${orgName} -> Other`],
      ['appointed', 'Cole user', null, 'Organization admin: No -> Yes'],
      ['assigned', 'Editor', 'Cole user', 'Role: User -> Editor'],
    ])
  })

  it('is paginated, and filtered by person, action, kind, project and time', async () => {
    const home = await busyHome()
    const second = await list(home, { page: 2, limit: 1 })
    expect(second).toMatchObject({
      audits: [{ entityType: 'label' }],
      pagination: { currentPage: 2, totalPages: 3, totalCount: 3 },
    })
    const now = app.clock.now().getTime()
    const kinds = async (query: Record<string, unknown>) =>
      (await list(home, query)).audits.map(({ action, entityType }) => `${action} ${entityType}`)
    expect(await kinds({ action: 'created' })).toEqual(['created label', 'created project'])
    expect(await kinds({ entityType: 'project' })).toEqual(['renamed project', 'created project'])
    expect(await kinds({ projectId: home.made })).toEqual(['renamed project', 'created project'])
    expect(await kinds({ userId: home.projectId })).toEqual([])
    expect(
      await kinds({
        userId: home.person.personId,
        from: new Date(now - 3_600_000).toISOString(),
        to: new Date(now).toISOString(),
      }),
    ).toEqual(['created label'])
  })

  it('lists the people and things to filter by', async () => {
    const home = await busyHome()
    const filters = await app.call(auditFilters, { params: { orgId: home.orgId } }, { as: home.person })
    expect(filters).toEqual({
      users: [{ userId: home.person.personId, name: 'Olive Owner' }],
      actions: ['created', 'renamed'],
      entityTypes: ['label', 'project'],
    })
  })

  it('can be read by organization admins alone', async () => {
    const home = await busyHome()
    const editor = await app.colleague(home, 'editor')
    await expect(app.call(listAudit, { params: { orgId: home.orgId } }, { as: editor })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const stranger = await app.signedInOwner()
    await expect(app.call(listAudit, { params: { orgId: home.orgId } }, { as: stranger.person })).rejects.toMatchObject(
      { code: 'IDENTIFIERS_ERROR' },
    )
    expect((await list(stranger)).audits).toEqual([])
  })
})

describe('the audit as CSV', () => {
  const csvOf = async (home: TestHome, query: Record<string, unknown> = {}) => {
    const response = await app.send(exportAudit, { params: { orgId: home.orgId }, query }, { as: home.person })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    const table = readCsv(response.body)
    if (!('records' in table)) throw new Error(table.message)
    return table.records
  }

  it('has the same entries for the same filters, and no cell that a spreadsheet would run', async () => {
    const home = await busyHome()
    const [head, ...rows] = await csvOf(home, { action: 'created' })
    expect(head?.slice(0, 5)).toEqual(['Time (UTC)', 'Person', 'Action', 'Entity type', 'Entity name'])
    expect(rows.map((row) => row.slice(1, 5))).toEqual([
      ['Olive Owner', 'created', 'label', `'=HYPERLINK("https://evil.example")`],
      ['Olive Owner', 'created', 'project', 'Autumn'],
    ])
  })

  it('has separate columns for changes', async () => {
    const home = await busyHome()
    const [head = [], ...rows] = await csvOf(home, { action: 'renamed' })
    const cell = (name: string) => rows[0]?.[head.indexOf(name)]
    expect([cell('Before'), cell('After')]).toEqual(['Name: Summer', 'Name: Autumn'])
  })

  it('has every entry once, however many there are', async () => {
    const home = await app.signedInOwner()
    // the same instants again and again: a page may not end between them
    await app.database.owner.query(
      "insert into audit (org_id, id, at, action, entity, entity_id) select $1, gen_random_uuid(), timestamptz '2026-11-01' + (n / 300) * interval '1 second', 'made', 'thing', n from generate_series(1, 2500) n",
      [home.orgId],
    )
    const [head = [], ...rows] = await csvOf(home)
    expect(new Set(rows.map((row) => row[head.indexOf('Entity id')])).size).toBe(2500)
    expect(rows).toHaveLength(2500)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('neutralises %j', (cell) => {
    expect(harmless(cell)).toBe(`'${cell}`)
  })
  it('leaves other cells alone', () => {
    expect(harmless('a=1')).toBe('a=1')
    expect(harmless('')).toBe('')
  })
})

describe('what an entry was about', () => {
  it.each([
    ['playlist', { channelId: 'c1', name: 'Spring' }, { words: 'Spring' }],
    ['board', { channelId: 'c1', name: 'Cakes', changed: ['name', 'privacy'] }, { words: 'Cakes, Name, Privacy' }],
    ['plan', { planId: 'team' }, { words: 'Team' }],
    ['campaign', { posts: 1 }, { words: '1 post' }],
    ['organization', { changed: ['orgName', 'orgSize'] }, { words: 'Name, Size' }],
    ['access', { endpoint: 'GET /gone', code: 'FORBIDDEN' }, { words: 'GET /gone' }],
    ['access', { endpoint: 'GET /gone', code: 'RATE_LIMITED' }, { words: 'GET /gone (too many attempts)' }],
    ['label', { nobody: 'knows' }, null],
    ['label', 'no object', null],
  ])('%s %j', (entity, detail, value) => {
    expect(targetOf(entity, detail)).toEqual(value)
  })
})

describe('what an entry changed', () => {
  const names: Record<string, string> = { 'role 1': 'Editor', 'role 2': 'Writers', 'channel 1': 'Acme on X' }
  const read = (detail: unknown) =>
    presentChanges(changesOf(detail), (reference) => names[`${reference?.kind} ${reference?.id}`] ?? null).map(
      ({ field, before, after }) => [field, before, after],
    )
  const access = { roleId: '1', channelIds: null, publishing: 'full' }
  it.each<[string, unknown, unknown[]]>([
    [
      'a plan, in an older entry',
      {
        from: { planId: 'individual', status: 'ACTIVE', interval: 'monthly', addonQuantity: 1 },
        to: { planId: 'team', status: 'CANCEL_SCHEDULED', interval: 'annual', addonQuantity: 0 },
      },
      [
        ['Plan', 'Individual', 'Team'],
        ['Status', 'Active', 'Cancellation scheduled'],
        ['Billing', 'Monthly', 'Annual'],
        ['Add-ons', '1', '0'],
      ],
    ],
    [
      'a plan that is to become smaller',
      {
        before: { planId: 'team', planned: null },
        after: { planId: 'team', planned: { planId: 'individual', addonQuantity: 2 } },
      },
      [['Planned change', null, 'Individual, Add-ons: 2']],
    ],
    ['a value alone', { from: null, to: '2026-11-22T09:30:00.000Z' }, [[null, null, '2026-11-22 09:30 UTC']]],
    [
      'an access that was given',
      { after: access },
      [
        ['Role', null, 'Editor'],
        ['Channels', null, 'All channels'],
        ['Publishing', null, 'Full Publishing'],
      ],
    ],
    [
      'an access that was narrowed',
      { before: access, after: { roleId: null, channelIds: ['1', '9'], publishing: 'none' } },
      [
        ['Role', 'Editor', 'View only'],
        ['Channels', 'All channels', 'Acme on X, Deleted'],
        ['Publishing', 'Full Publishing', 'No Access'],
      ],
    ],
    [
      'an access that was taken',
      { before: { isOrgAdmin: false, roleId: '2' } },
      [
        ['Organization admin', 'No', null],
        ['Role', 'Writers', null],
      ],
    ],
    [
      'permissions of a role',
      {
        before: { name: 'Writers' },
        after: { name: 'Writers' },
        given: ['post.publish'],
        taken: ['post.needs_approval'],
      },
      [
        ['Permissions removed', 'Post: needs approval', null],
        ['Permissions added', null, 'Post: publish'],
      ],
    ],
    [
      'slots of a queue',
      { before: { slots: [] }, after: { slots: [{ day: 1, time: '09:00' }] } },
      [['Slots', null, 'Monday, 09:00']],
    ],
    ['a field that nobody has a name for', { before: { madeUp: 1 }, after: { madeUp: 2 } }, [['Made up', '1', '2']]],
    [
      'a field that only one side names',
      { before: { zone: 'UTC', paused: true }, after: { paused: false } },
      [['Paused', 'Yes', 'No']],
    ],
    ['nothing', { version: 3 }, []],
    ['nothing that can be read', 'no object', []],
  ])('%s', (_, detail, changes) => {
    expect(read(detail)).toEqual(changes)
  })
})

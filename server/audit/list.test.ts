import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditFilters, exportAudit, listAudit } from '#contract/audit.ts'
import { readCsv } from '#contract/csv.ts'
import { createLabel } from '#contract/labels.ts'
import { appointAdmin } from '#contract/members.ts'
import { createProject } from '#contract/organisations.ts'
import { renameProject, updateOrganisation } from '#contract/orgSettings.ts'
import { assignRole } from '#contract/roles.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { TestHome } from '../testing/people.ts'
import { harmless } from './exportCsv.ts'
import { targetOf } from './target.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const list = (home: TestHome, query: Record<string, unknown> = {}) =>
  app.call(listAudit, { params: { orgId: home.orgId }, query }, { as: home.person })

/** A project, a label in it, and a new name of the project, an hour apart each. */
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
    { params: home.params, body: { labelName: '=HYPERLINK("https://evil.example")', colour: 'blue' } },
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
  it('says who did what to which thing, newest first, by the names of today', async () => {
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

  it('says what a change was about: the person, the role, what was changed', async () => {
    const home = await app.signedInOwner()
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
      updateOrganisation,
      { params: { orgId: home.orgId }, body: { orgName: 'Other', orgType: 'organization', orgSize: '2-10' } },
      { as: home.person },
    )
    expect(
      (await list(home)).audits.map(({ action, entityName, targetValue }) => [action, entityName, targetValue]),
    ).toEqual([
      ['updated', 'Other', 'Name'],
      ['appointed', 'Cole user', 'Organization admin'],
      ['assigned', 'Editor', 'Cole user'],
    ])
  })

  it('comes in pages, and is narrowed by person, action, kind, project and time', async () => {
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

  it('names whoever and whatever can be filtered by', async () => {
    const home = await busyHome()
    const filters = await app.call(auditFilters, { params: { orgId: home.orgId } }, { as: home.person })
    expect(filters).toEqual({
      users: [{ userId: home.person.personId, name: 'Olive Owner' }],
      actions: ['created', 'renamed'],
      entityTypes: ['label', 'project'],
    })
  })

  it('is read by admins of the organisation alone', async () => {
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

  it('holds the same entries by the same filters, and no cell that a spreadsheet would run', async () => {
    const home = await busyHome()
    const [head, ...rows] = await csvOf(home, { action: 'created' })
    expect(head?.slice(0, 5)).toEqual(['Time (UTC)', 'Person', 'Action', 'Entity type', 'Entity name'])
    expect(rows.map((row) => row.slice(1, 5))).toEqual([
      ['Olive Owner', 'created', 'label', `'=HYPERLINK("https://evil.example")`],
      ['Olive Owner', 'created', 'project', 'Autumn'],
    ])
  })

  it('holds every entry once, however many there are', async () => {
    const home = await app.signedInOwner()
    // the same instants again and again: pages must not end between them
    await app.database.owner.query(
      "insert into audit (org_id, id, at, action, entity, entity_id) select $1, gen_random_uuid(), timestamptz '2026-11-01' + (n / 300) * interval '1 second', 'made', 'thing', n from generate_series(1, 2500) n",
      [home.orgId],
    )
    const [, ...rows] = await csvOf(home)
    expect(new Set(rows.map((row) => row[7])).size).toBe(2500)
    expect(rows).toHaveLength(2500)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('neutralises %j', (cell) => {
    expect(harmless(cell)).toBe(`'${cell}`)
  })
  it('leaves other cells as they are', () => {
    expect(harmless('a=1')).toBe('a=1')
    expect(harmless('')).toBe('')
  })
})

describe('the value of an entry', () => {
  it.each([
    ['post', 'rescheduled', { from: null, to: '2026-11-22T09:30:00.000Z' }, { words: '2026-11-22 09:30 UTC' }],
    ['plan', 'chosen', { planId: 'team' }, { words: 'Team' }],
    ['campaign', 'disabled', { posts: 1 }, { words: '1 post' }],
    ['organisation', 'updated', { changed: ['orgName', 'orgSize'] }, { words: 'Name, Size' }],
    ['label', 'edited', { nobody: 'knows' }, null],
    ['label', 'edited', 'no object', null],
  ])('%s %s', (entity, action, detail, value) => {
    expect(targetOf(entity, action, detail)).toEqual(value)
  })
})

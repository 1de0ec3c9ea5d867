import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCampaign } from '#contract/campaigns.ts'
import { home as homeCall, onboarding } from '#contract/organizations.ts'
import {
  deleteOrgChannel,
  deleteProject,
  projectContents,
  listOrgChannels,
  listProjects,
  organization,
  renameProject,
  updateOrganization,
} from '#contract/orgSettings.ts'
import { allChannels } from '#contract/channels.ts'
import { inviteUsers } from '#contract/invites.ts'
import { channelJobs } from '../channels/jobs.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { objectKinds } from '../testing/objects.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform({ revoke: async () => ({ kind: 'revoked' }) }) } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

const org = () => ({ params: { orgId: home.orgId } })
const as = () => ({ as: home.person })
const audits = async () =>
  (
    await app.database.owner.query(
      'select action, entity, entity_id, detail from audit where org_id = $1 order by at, id',
      [home.orgId],
    )
  ).rows

describe('the organization', () => {
  it('is shown and changed, and the audit entry has old and new values', async () => {
    expect(await app.call(organization, org(), as())).toMatchObject({
      orgId: home.orgId,
      orgName: 'My Workspace',
      orgType: 'organization',
      orgSize: '2-10',
      deletesAt: null,
    })
    expect(
      await app.call(
        updateOrganization,
        { ...org(), body: { orgName: 'Rook and Co', orgType: 'organization', orgSize: '11-50' } },
        as(),
      ),
    ).toEqual({ message: 'Organization Details updated successfully' })
    expect(await app.call(organization, org(), as())).toMatchObject({ orgName: 'Rook and Co', orgSize: '11-50' })
    expect((await audits()).at(-1)).toMatchObject({
      action: 'updated',
      entity: 'organization',
      detail: {
        before: { orgName: 'My Workspace', orgSize: '2-10' },
        after: { orgName: 'Rook and Co', orgSize: '11-50' },
      },
    })
  })

  it('of type Individual has the size 1, and a valid name', async () => {
    await app.call(
      updateOrganization,
      { ...org(), body: { orgName: 'Olive', orgType: 'individual', orgSize: '1' } },
      as(),
    )
    await expect(
      app.call(
        updateOrganization,
        { ...org(), body: { orgName: 'Olive', orgType: 'individual', orgSize: '2-10' } },
        as(),
      ),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', problem: { errors: { orgSize: ['An Individual has the size 1'] } } })
    await expect(
      app.call(
        updateOrganization,
        { ...org(), body: { orgName: 'No', orgType: 'organization', orgSize: '2-10' } },
        as(),
      ),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await app.call(organization, org(), as())).toMatchObject({
      orgName: 'Olive',
      orgType: 'individual',
      orgSize: '1',
    })
  })

  it("is refused to members who aren't admins", async () => {
    const editor = await app.colleague(home, 'admin')
    await expect(app.call(organization, org(), { as: editor })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('projects', () => {
  it('are listed by page with members, channels and planned posts', async () => {
    const channelId = await content.channel(home)
    await posts.post(home, channelId)
    const editor = await app.colleague(home, 'editor')
    await app.project(home.orgId, home.person, { name: 'Second' })
    const first = await app.call(listProjects, { ...org(), query: { page: 1, limit: 1 } }, as())
    expect(first.pagination).toEqual({ currentPage: 1, totalPages: 2, totalCount: 2 })
    expect(first.projects).toMatchObject([{ projectId: home.projectId, channels: [{ channelId }], scheduledPosts: 1 }])
    expect(first.projects[0]?.projectUsers.map(({ userId }) => userId).toSorted()).toEqual(
      [home.person.personId, editor.personId].toSorted(),
    )
    expect((await app.call(listProjects, { ...org(), query: { page: 2, limit: 1 } }, as())).projects).toMatchObject([
      { projectName: 'Second', scheduledPosts: 0 },
    ])
  })

  it('change their description and time zone, the zone only while nothing is planned', async () => {
    const change = (more: { projectDesc?: string; zone?: string }) =>
      app.call(renameProject, { ...org(), body: { projectId: home.projectId, projectName: 'Spring', ...more } }, as())
    const read = () => app.call(onboarding, { params: home.params }, as())
    await change({ projectDesc: 'Our bakery', zone: 'Asia/Tokyo' })
    expect(await read()).toMatchObject({ projectName: 'Spring', projectDesc: 'Our bakery', zone: 'Asia/Tokyo' })
    // what isn't named stays
    await change({})
    expect(await read()).toMatchObject({ projectDesc: 'Our bakery', zone: 'Asia/Tokyo' })
    await expect(change({ zone: 'Mars/Base', projectDesc: 'Lost' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { zone: ['Unknown time zone'] } },
    })
    const postId = (await objectKinds['postId']?.make(app, home)) ?? ''
    await app.database.owner.query("update post set state = 'DRAFTS' where id = $1", [postId])
    await change({ zone: 'Europe/Berlin' })
    await app.database.owner.query("update post set state = 'SCHEDULED' where id = $1", [postId])
    await expect(change({ zone: 'UTC', projectDesc: 'Lost' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await change({ zone: 'Europe/Berlin', projectDesc: 'The same zone is fine' })
    expect(await read()).toMatchObject({ projectDesc: 'The same zone is fine', zone: 'Europe/Berlin' })
  })

  it('are renamed to a name that is free, ignoring case', async () => {
    const second = await app.project(home.orgId, home.person, { name: 'Second' })
    const rename = (projectName: string, projectId = home.projectId) =>
      app.call(renameProject, { ...org(), body: { projectId, projectName } }, as())
    expect(await rename('Spring')).toEqual({ message: 'Project updated successfully' })
    await expect(rename('SECOND')).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      problem: { errors: { projectName: ['A project with this name already exists.'] } },
    })
    await rename('SECOND', second.projectId)
    await expect(rename('ab')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { projectName: ['Project name must be at least 3 characters long'] } },
    })
    const other = await app.signedInOwner()
    await expect(rename('Taken over', other.projectId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.call(listProjects, org(), as())).projects.map(({ projectName }) => projectName)).toEqual([
      'Spring',
      'SECOND',
    ])
  })

  it('are deleted: closed immediately, channels by jobs, scheduled posts become drafts, invitations withdrawn, the name free', async () => {
    const second = await app.project(home.orgId, home.person, { name: 'Second' })
    const there = {
      ...home,
      projectId: second.projectId,
      roles: second.roles,
      params: { orgId: home.orgId, projectId: second.projectId },
    }
    const channelId = await content.channel(there)
    const postId = await posts.post(there, channelId)
    const published = await posts.post(there, channelId)
    await posts.put(published, 'PUBLISHED')
    await app.call(
      inviteUsers,
      { params: there.params, body: { invites: [{ email: 'new@example.org', role: 'editor', publishing: 'full' }] } },
      as(),
    )
    expect(await app.call(deleteProject, { params: { orgId: home.orgId, id: second.projectId } }, as())).toEqual({
      message: 'Project deleted successfully',
    })

    await expect(app.call(allChannels, { params: there.params }, as())).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
    expect((await app.call(homeCall, {}, as())).organizations[0]?.projects.map(({ projectId }) => projectId)).toEqual([
      home.projectId,
    ])
    const lane = await app.database.owner.query('select paused from lane where channel_id = $1', [channelId])
    expect(lane.rows).toEqual([{ paused: true }])
    await runJobs(app, channelJobs(app.parts))
    expect(await posts.row(postId)).toMatchObject({ state: 'DRAFTS', step: null })
    expect(await posts.row(published)).toMatchObject({ state: 'PUBLISHED' })
    const invites = await app.database.owner.query(
      'select revoked_at is not null as revoked from invite where org_id = $1',
      [home.orgId],
    )
    expect(invites.rows).toEqual([{ revoked: true }])
    expect((await audits()).at(-1)).toMatchObject({
      action: 'deleted',
      entity: 'project',
      entity_id: second.projectId,
      detail: { channels: 1 },
    })

    await expect(
      app.call(deleteProject, { params: { orgId: home.orgId, id: second.projectId } }, as()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await app.project(home.orgId, home.person, { name: 'Second' })
  })

  it("say what will be unreachable once they're deleted", async () => {
    const second = await app.project(home.orgId, home.person, { name: 'Second' })
    const there = {
      ...home,
      projectId: second.projectId,
      roles: second.roles,
      params: { ...home.params, projectId: second.projectId },
    }
    const channelId = await content.channel(there)
    const ids = [
      await posts.post(there, channelId),
      await posts.post(there, channelId),
      await posts.post(there, channelId),
    ]
    const publishedAt = new Date('2026-03-03T10:00:00.000Z')
    await app.database.owner.query("update post set state = 'PUBLISHED', published_at = $2 where id = $1", [
      ids[0],
      publishedAt,
    ])
    await app.database.owner.query("update post set state = 'DRAFTS' where id = $1", [ids[1]])
    await content.picture(there)
    await app.call(createCampaign, { params: there.params, body: { name: 'Spring', color: 'blue' } }, as())
    // of another project
    await posts.post(home, await content.channel(home))
    const contents = (id: string, who = as()) => app.call(projectContents, { params: { orgId: home.orgId, id } }, who)
    expect(await contents(second.projectId)).toEqual({
      users: 1,
      channels: 1,
      scheduledPosts: 1,
      drafts: 1,
      publishedPosts: 1,
      publishedSince: publishedAt.toISOString(),
      files: 1,
      campaigns: 1,
    })
    expect(await contents((await app.project(home.orgId, home.person, { name: 'Empty' })).projectId)).toMatchObject({
      publishedPosts: 0,
      publishedSince: null,
      files: 0,
    })
    const foreign = await app.signedInOwner()
    await expect(contents(foreign.projectId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const admin = await app.colleague(home, 'admin')
    await expect(contents(second.projectId, { as: admin })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('are deleted by organization admins only', async () => {
    const admin = await app.colleague(home, 'admin')
    await expect(
      app.call(deleteProject, { params: { orgId: home.orgId, id: home.projectId } }, { as: admin }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('channels of the organization', () => {
  it("are listed for all projects, Active while they're connected and enabled", async () => {
    const second = await app.project(home.orgId, home.person, { name: 'Second' })
    const there = {
      ...home,
      projectId: second.projectId,
      roles: second.roles,
      params: { orgId: home.orgId, projectId: second.projectId },
    }
    const [one, two] = [await content.channel(home), await content.channel(there)]
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [two])
    const { channels, pagination } = await app.call(listOrgChannels, org(), as())
    expect(pagination.totalCount).toBe(2)
    expect(
      channels.map(({ channelId, projectName, connectionState }) => ({ channelId, projectName, connectionState })),
    ).toEqual([
      { channelId: one, projectName: expect.any(String), connectionState: 'Active' },
      { channelId: two, projectName: 'Second', connectionState: 'Inactive' },
    ])
  })

  it("are deleted like their project's: scheduled posts become drafts", async () => {
    const channelId = await content.channel(home)
    const postId = await posts.post(home, channelId)
    expect(await app.call(deleteOrgChannel, { params: { orgId: home.orgId, channelId } }, as())).toEqual({
      message: 'Channel deleted successfully',
    })
    await runJobs(app, channelJobs(app.parts))
    expect((await app.call(listOrgChannels, org(), as())).channels).toEqual([])
    expect(await posts.row(postId)).toMatchObject({ state: 'DRAFTS' })
    await expect(app.call(deleteOrgChannel, { params: { orgId: home.orgId, channelId } }, as())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

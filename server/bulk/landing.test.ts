import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { confirmBulk, listBulk } from '#contract/bulk.ts'
import { deletePost, getPost, reschedulePost } from '#contract/posts.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { bulkOn, bulkRow as row, onPlan } from '../testing/bulk.ts'
import { contentOn, drawPicture, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { bulkJobs } from './jobs.ts'
import { landJob } from './landing.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let bulk: ReturnType<typeof bulkOn>
let home: TestHome
let harbour: string
let answers: Record<string, Buffer>
let asked: string[]
let onAsked: () => void

const fetch: SafeFetch = async (url, { signal }): ReturnType<SafeFetch> => {
  asked.push(url)
  onAsked()
  if (signal?.aborted) return { kind: 'lost', why: 'aborted', detail: 'given up' }
  const body = answers[url]
  return body
    ? { kind: 'answer', url, status: 200, headers: {}, body }
    : { kind: 'unsent', why: 'unreachable', detail: 'nobody there' }
}

beforeAll(async () => {
  app = await startApp({ fetch, platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  bulk = bulkOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  answers = {}
  asked = []
  onAsked = () => {}
  home = await app.signedInOwner()
  await onPlan(app, home, 'team')
  harbour = await content.channel(home, { handle: '@harbour.example' })
})

const states = async () =>
  (
    await app.database.owner.query<{ state: string }>('select state from post where project_id = $1 order by state', [
      home.projectId,
    ])
  ).rows.map(({ state }) => state)
/** The stored problems of the project's rows. */
const stored = async () =>
  (
    await app.database.owner.query<{ problem: unknown }>(
      'select p.problem from bulk_row r join bulk_import i on i.org_id = r.org_id and i.id = r.import_id cross join jsonb_array_elements(r.problems) as p(problem) where i.project_id = $1',
      [home.projectId],
    )
  ).rows.map(({ problem }) => problem)
const say = (postId: string) => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })

describe('files at URLs', () => {
  it('become copies for the channels that take them only as another type', async () => {
    const picture = 'https://files.example/tea.webp'
    answers[picture] = await drawPicture({ width: 40, height: 30, type: 'webp' })
    const found = await bulk.check(home, [row('Converted', { media: picture })])
    expect(found.rows.map(({ errors }) => errors)).toEqual([[]])
    await bulk.confirm(home, found)
    await bulk.land()
    const done = await bulk.read(home, found)
    const { contents } = await say(done.rows[0]?.postIds[0] ?? '')
    const { assetId = '', contentType } = contents[0]?.media[0] ?? {}
    expect(contentType).toBe('image/jpeg')
    const { rows } = await app.database.owner.query(
      'select o.content_type from asset a join asset o on o.org_id = a.org_id and o.id = a.derived_from where a.id = $1',
      [assetId],
    )
    expect(rows).toEqual([{ content_type: 'image/webp' }])
  })

  it('are read at the confirmation, each once however many rows use it', async () => {
    const picture = 'https://files.example/tea.png'
    answers[picture] = await drawPicture({ width: 40, height: 30, type: 'png' })
    const found = await bulk.check(home, [
      row('One', { media: picture }),
      row('Two', { media: `${picture} https://files.example/gone.jpg` }),
      row('Three', { media: picture }),
    ])
    expect([found.ready, asked]).toEqual([3, []])
    await bulk.confirm(home, found)
    await bulk.land()
    const done = await bulk.read(home, found)
    expect(done.rows.map(({ state }) => state)).toEqual(['made', 'failed', 'made'])
    expect(done.rows[1]?.errors).toEqual([
      { column: 'media', message: "https://files.example/gone.jpg: We couldn't get a file from this link." },
    ])
    expect(asked).toEqual([picture, 'https://files.example/gone.jpg'])
    const [one, three] = [await say(done.rows[0]?.postIds[0] ?? ''), await say(done.rows[2]?.postIds[0] ?? '')]
    expect(one.contents[0]?.media).toMatchObject([{ contentType: 'image/png', width: 40 }])
    expect(three.contents[0]?.media[0]?.assetId).toBe(one.contents[0]?.media[0]?.assetId)

    // a failed row is corrected and confirmed on its own
    const corrected = await bulk.change(home, done, [{ row: 3, cells: { media: picture } }])
    expect(corrected).toMatchObject({ ready: 1, counts: { made: 2, open: 1 } })
    await bulk.confirm(home, corrected)
    await bulk.land()
    expect(await bulk.read(home, found)).toMatchObject({ counts: { made: 3 } })
    expect(asked).toHaveLength(2)
  })

  it("only fail their own row if the platform doesn't accept them", async () => {
    answers['https://files.example/notes'] = Buffer.from('only words')
    const found = await bulk.check(home, [row('Words', { media: 'https://files.example/notes' }), row('Fine')])
    await bulk.confirm(home, found)
    await bulk.land()
    const done = await bulk.read(home, found)
    expect(done.rows.map(({ state, errors }) => [state, errors.map(({ column }) => column)])).toEqual([
      ['failed', ['media']],
      ['made', []],
    ])
    expect(await stored()).toMatchObject([
      { code: 'not-accepted', problem: { code: 'link-failed', params: { problem: { code: 'file-unusable' } } } },
    ])
  })
})

describe('a confirmation', () => {
  it('by two people at once creates posts once', async () => {
    const found = await bulk.check(home, [row('Once')])
    const both = await Promise.allSettled([bulk.confirm(home, found), bulk.confirm(home, found)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await Promise.all([bulk.land(), bulk.land()])
    expect(await states()).toEqual(['SCHEDULED'])
  })

  it('keeps what was shown: a channel renamed in the meantime gets its posts anyway', async () => {
    const found = await bulk.check(home, [row('For the harbour')])
    await bulk.confirm(home, found)
    await app.database.owner.query("update channel set handle = '@renamed.example' where id = $1", [harbour])
    await bulk.land()
    expect(await states()).toEqual(['SCHEDULED'])
  })

  it('reports refusals row by row, and loses none', async () => {
    const found = await bulk.check(home, [row('First'), row('Soon', { date: '2026-11-21', time: '10:10' })])
    await bulk.confirm(home, found)
    // the worker was unavailable for hours
    app.clock.advance({ hours: 3 })
    await bulk.land()
    const done = await bulk.read(home, found)
    expect(done.rows.map(({ state }) => state)).toEqual(['made', 'failed'])
    expect(done.rows[1]?.errors).toEqual([{ column: 'date', message: 'This time has passed. Choose a later one.' }])
    expect(await stored()).toEqual([{ code: 'not-accepted', column: 'date', problem: { code: 'time-passed' } }])
    expect(await states()).toEqual(['SCHEDULED'])
  })

  it("uses its person's current permissions", async () => {
    const editor = await app.colleague(home, 'editor')
    const found = await bulk.check(home, [row('Too late')], { as: editor })
    await bulk.confirm(home, found, { as: editor })
    await app.database.owner.query('delete from project_member where person_id = $1', [editor.personId])
    await bulk.land()
    expect((await bulk.read(home, found)).rows[0]).toMatchObject({
      state: 'failed',
      errors: [{ column: null, message: "The person who confirmed this isn't in the project anymore." }],
    })
    expect(await states()).toEqual([])
  })

  it("requires a workflow from people who can't publish, and sends the posts for approval", async () => {
    const user = await app.colleague(home, 'user')
    const found = await bulk.check(home, [row('May we publish this')], { as: user })
    await expect(bulk.confirm(home, found, { as: user })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const workflowId = await approvalsOn(app).workflow(home, [
      { needs: 'any', approvers: [{ kind: 'role', roleId: home.roles.admin }] },
    ])
    expect(await bulk.confirm(home, found, { as: user, workflowId })).toMatchObject({
      message: 'Sending 1 row for approval',
    })
    await bulk.land()
    expect(await states()).toEqual(['NEEDS_APPROVAL'])
    expect((await bulk.read(home, found)).rows[0]?.state).toBe('made')
  })

  it("is refused for others' hidden rows, and for channels outside of the role", async () => {
    const theirs = await content.channel(home, { handle: '@theirs.example' })
    const bound = await app.colleague(home, 'editor', { channelIds: [theirs] })
    const found = await bulk.check(home, [row('Mine')])
    await expect(bulk.read(home, found, bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      app.call(
        confirmBulk,
        { params: { ...home.params, importId: found.importId }, body: { version: 1, rows: 1 } },
        { as: bound },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = await bulk.check(home, [row('Not there'), row('There', { channel: '@theirs.example' })], { as: bound })
    expect(own.rows.map(({ errors }) => errors.map(({ column }) => column))).toEqual([['channel'], []])
    expect(
      (await app.call(listBulk, { params: home.params }, { as: bound })).imports.map(({ importId }) => importId),
    ).toEqual([own.importId])
  })
})

describe('undoing', () => {
  it("deletes what isn't published and says what stays", async () => {
    const found = await bulk.check(home, [
      row('Published'),
      row('Scheduled'),
      row('Moved'),
      row('Deleted already'),
      row('Being sent'),
    ])
    await bulk.confirm(home, found)
    await bulk.land()
    const ids = (await bulk.read(home, found)).rows.map(({ postIds }) => postIds[0] ?? '')
    await posts.put(ids[0] ?? '', 'PUBLISHED')
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId: ids[2] ?? '' }, body: { schedule: at('2026-12-24T10:00:00.000Z') } },
      { as: home.person },
    )
    await app.call(deletePost, { params: { ...home.params, postId: ids[3] ?? '' } }, { as: home.person })
    await posts.put(ids[4] ?? '', 'UNCONFIRMED')
    expect(await bulk.undo(home, found)).toMatchObject({ state: 'undoing', message: 'Undoing 5 rows' })
    await bulk.land()
    const undone = await bulk.read(home, found)
    expect(undone).toMatchObject({ state: 'undone', counts: { undone: 5 } })
    expect(
      undone.rows.map(({ postIds, warnings }) => [postIds.length, warnings.map(({ message }) => message)]),
    ).toEqual([
      [1, ["This post was already published, so it wasn't undone. You can delete it on its own."]],
      [0, []],
      [0, []],
      [0, []],
      [
        1,
        ["We don't know yet whether this post was published, so it wasn't undone. Open it and tell us what happened."],
      ],
    ])
    expect(await states()).toEqual(['DELETED', 'DELETED', 'DELETED', 'PUBLISHED', 'UNCONFIRMED'])
    await expect(bulk.undo(home, found)).rejects.toMatchObject({ code: 'POST_LOCKED' })
    // a row without posts may be published after all
    const again = await bulk.change(home, undone, [{ row: 3 }])
    await bulk.confirm(home, again)
    await bulk.land()
    expect(await states()).toEqual(['DELETED', 'DELETED', 'DELETED', 'PUBLISHED', 'SCHEDULED', 'UNCONFIRMED'])
  })

  it('opens waiting rows again, and nothing is scheduled', async () => {
    const found = await bulk.check(home, [row('Never')])
    await bulk.confirm(home, found)
    expect(await bulk.undo(home, found)).toMatchObject({ state: 'open', ready: 1, message: 'Nothing was scheduled' })
    await bulk.land()
    expect(await states()).toEqual([])
  })

  it('loses and leaves none while rows are being created', async () => {
    const found = await bulk.check(
      home,
      Array.from({ length: 12 }, (_, i) => row(`Row ${i}`)),
    )
    await bulk.confirm(home, found)
    await Promise.all([bulk.land(), bulk.undo(home, found)])
    await bulk.land()
    const left = await bulk.read(home, found)
    expect(left.counts.open + left.counts.undone).toBe(12)
    expect(new Set(await states())).toEqual(new Set(left.counts.undone > 0 ? ['DELETED'] : []))
    expect(left.rows.flatMap(({ postIds }) => postIds)).toEqual([])
  })
})

describe('the job', () => {
  it('continues after a failing row, and gives that one up after several tries', async () => {
    const found = await bulk.check(home, [row('Breaks'), row('Fine')])
    await bulk.confirm(home, found)
    await app.database.owner.query("alter table post add constraint broken check (excerpt <> 'Breaks') not valid")
    try {
      await expect(bulk.land()).rejects.toThrow(/broken/)
      expect((await bulk.read(home, found)).rows.map(({ state }) => state)).toEqual(['waiting', 'made'])
      // as the worker does after its wait
      const again = () =>
        landJob({ ...app.parts }).perform(
          { ...app.parts, signal: new AbortController().signal },
          { orgId: home.orgId, importId: found.importId },
        )
      for (let tries = 2; tries <= 5; tries++) await expect(again()).rejects.toThrow(/broken/)
      await again()
      const done = await bulk.read(home, found)
      expect(done.rows.map(({ state, errors }) => [state, errors.map(({ message }) => message)])).toEqual([
        ['failed', ['Something went wrong. Please Try again later.']],
        ['made', []],
      ])
      expect(await states()).toEqual(['SCHEDULED'])
    } finally {
      await app.database.owner.query('alter table post drop constraint broken')
    }
  })

  it('stops between rows at a shutdown, and another run continues', async () => {
    const found = await bulk.check(home, [row('One'), row('Two')])
    await bulk.confirm(home, found)
    await landJob({ ...app.parts }).perform(
      { ...app.parts, signal: AbortSignal.abort() },
      { orgId: home.orgId, importId: found.importId },
    )
    expect(await states()).toEqual([])
    expect(await bulk.land()).toBe(1)
    expect(await states()).toEqual(['SCHEDULED', 'SCHEDULED'])
  })

  it('cancels a download at a shutdown, and another run repeats it', async () => {
    const address = 'https://files.example/tea.png'
    answers[address] = await drawPicture({ width: 40, height: 30, type: 'png' })
    const found = await bulk.check(home, [row('With a file', { media: address })])
    await bulk.confirm(home, found)
    const shutdown = new AbortController()
    onAsked = () => shutdown.abort()
    await landJob({ ...app.parts }).perform(
      { ...app.parts, signal: shutdown.signal },
      { orgId: home.orgId, importId: found.importId },
    )
    expect((await bulk.read(home, found)).rows.map(({ state, errors }) => [state, errors])).toEqual([['waiting', []]])
    onAsked = () => {}
    await bulk.land()
    expect((await bulk.read(home, found)).rows.map(({ state }) => state)).toEqual(['made'])
    expect(asked).toEqual([address, address])
  })

  it('is restarted if it was lost, such as after a restore', async () => {
    const found = await bulk.check(home, [row('Kept')])
    await bulk.confirm(home, found)
    await app.database.owner.query('delete from graphile_worker._private_jobs')
    expect(await bulk.land()).toBe(0)
    await bulkJobs(app.parts)
      .find(({ name }) => name === 'bulk.remind')
      ?.perform({ ...app.parts, signal: new AbortController().signal }, {})
    expect(await bulk.land()).toBe(1)
    expect(await states()).toEqual(['SCHEDULED'])
  })

  it('is restarted however many imports of another organization wait', async () => {
    const waiting = async ({ orgId, projectId, person }: TestHome, imports: number) => {
      const { rows } = await app.database.owner.query<{ id: string }>(
        `with import as (
           insert into bulk_import (org_id, id, project_id, name, created_at, created_by)
           select $1, gen_random_uuid(), $2, 'Stuck', $3, $4 from generate_series(1, $5) returning id)
         insert into bulk_row (org_id, import_id, "row", state, cells, asked_by)
         select $1, id, 1, 'waiting', '{}', $4 from import returning import_id as id`,
        [orgId, projectId, app.clock.now(), person.personId, imports],
      )
      return rows.map(({ id }) => id)
    }
    const other = await app.signedInOwner()
    const all = [...(await waiting(home, 120)), ...(await waiting(other, 1))]
    await bulkJobs(app.parts)
      .find(({ name }) => name === 'bulk.remind')
      ?.perform({ ...app.parts, signal: new AbortController().signal }, {})
    const jobs = await app.database.owner.query<{ id: string }>(
      "delete from graphile_worker._private_jobs returning payload ->> 'importId' as id",
    )
    await app.database.owner.query('delete from bulk_import where id = any($1)', [all])
    expect(jobs.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(all))
  })

  it('uses one file that two simultaneous runs read', async () => {
    const address = 'https://files.example/tea.png'
    answers[address] = await drawPicture({ width: 40, height: 30, type: 'png' })
    const found = await bulk.check(home, [row('With a file', { media: address })])
    await bulk.confirm(home, found)
    const run = () =>
      landJob({ ...app.parts }).perform(
        { ...app.parts, signal: new AbortController().signal },
        { orgId: home.orgId, importId: found.importId },
      )
    await Promise.all([run(), run(), run()])
    expect(await states()).toEqual(['SCHEDULED'])
    expect(
      (await app.database.owner.query('select 1 from asset where project_id = $1', [home.projectId])).rowCount,
    ).toBe(1)
  })
})

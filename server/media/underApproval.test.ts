import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUpload, getAsset, removeThumbnail, setThumbnail } from '#contract/media.ts'
import { submitPost } from '#contract/submit.ts'
import { readApprovalFile, readApprovalLink } from '#contract/workflows.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn, drawPicture, testPlatform } from '../testing/content.ts'
import { makeFilm } from '../testing/film.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { TOMORROW } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

/* A video in a post that waits for approval. */

let app: TestApp
let address: string
let content: ReturnType<typeof contentOn>
let approvals: ReturnType<typeof approvalsOn>
let home: TestHome
let editor: TestPerson
let channelId: string
let film: Buffer
let assetId: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  address = await app.listen()
  content = contentOn(app.parts)
  approvals = approvalsOn(app)
  film = await makeFilm()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  editor = await app.colleague(home, 'editor')
  channelId = await content.channel(home)
  const { assetId: announced, uploadUrl } = await app.call(
    createUpload,
    { params: home.params, body: { fileName: 'roast.mp4', contentType: 'video/mp4', bytes: film.length } },
    { as: home.person },
  )
  await fetch(address + uploadUrl, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(film),
  })
  assetId = announced
})

const params = () => ({ ...home.params, assetId })
const choose = async () =>
  await app.call(
    setThumbnail,
    {
      params: params(),
      body: { image: (await drawPicture({ width: 40, height: 30 })).toString('base64'), seconds: null },
    },
    { as: home.person },
  )
const takeOff = () => app.call(removeThumbnail, { params: params() }, { as: home.person })
const picture = async () => (await app.call(getAsset, { params: params() }, { as: home.person })).thumbnailUrl

describe("a video's thumbnail", () => {
  it('stays as approvers saw it, and can be changed after the post was rejected', async () => {
    await choose()
    const shown = await picture()
    const workflowId = await approvals.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'member', userId: editor.personId }] },
    ])
    const postId = await approvals.ask(home, { channelId, workflowId, media: [{ assetId }] })
    const locked = {
      code: 'POST_LOCKED',
      problem: {
        detail: 'A post that was sent for approval uses this thumbnail. Attach the video again to choose another one.',
      },
    }
    await expect(choose()).rejects.toMatchObject(locked)
    await expect(takeOff()).rejects.toMatchObject(locked)
    expect(await picture()).toBe(shown)
    await approvals.reject(home, postId, editor)
    await choose()
    expect(await picture()).not.toBe(shown)
  })

  it('stays when the post was approved and waits for its time', async () => {
    await choose()
    const workflowId = await approvals.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'member', userId: editor.personId }] },
    ])
    const postId = await approvals.ask(home, { channelId, workflowId, media: [{ assetId }] })
    await approvals.approve(home, postId, editor)
    expect(await approvals.status(home, postId)).toBe('SCHEDULED')
    await expect(takeOff()).rejects.toMatchObject({ code: 'POST_LOCKED' })
    expect(await picture()).not.toBeNull()
  })

  it("can change while the post with the video isn't waiting for anyone", async () => {
    await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'SCHEDULE',
          channels: [{ channelId, postType: 'post', contents: [{ text: 'Second crack', media: [{ assetId }] }] }],
          schedule: TOMORROW,
        },
      },
      { as: home.person },
    )
    await choose()
    await takeOff()
    expect(await picture()).toBeNull()
  })
})

describe('behind a link for approval', () => {
  it('a player can seek in the video, and read no other file', async () => {
    const email = `${randomUUID()}@outside.example`
    const workflowId = await approvals.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'external', name: 'Eve', email }] },
    ])
    await approvals.ask(home, { channelId, workflowId, media: [{ assetId }] })
    const token = await approvals.mailed(email)
    const { post } = await app.call(readApprovalLink, { params: { token } })
    expect(post.contents[0]?.media).toMatchObject([{ assetId, contentType: 'video/mp4' }])
    const read = (of: string, headers: Record<string, string>) =>
      app.send(readApprovalFile, { params: { token }, query: { assetId: of } }, { headers })

    const whole = await read(assetId, {})
    expect([whole.statusCode, whole.headers['accept-ranges'], whole.rawPayload.length]).toEqual([
      200,
      'bytes',
      film.length,
    ])
    const part = await read(assetId, { range: 'bytes=100-199' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({
      'content-range': `bytes 100-199/${film.length}`,
      'content-type': 'video/mp4',
      'x-content-type-options': 'nosniff',
    })
    expect(part.rawPayload.equals(whole.rawPayload.subarray(100, 200))).toBe(true)
    expect((await read(assetId, { range: `bytes=${film.length}-` })).statusCode).toBe(416)
    expect((await read(await content.picture(home), { range: 'bytes=0-9' })).statusCode).toBe(404)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveDraft } from '#contract/drafts.ts'
import { createHashtagGroup, createLabel, listHashtagGroups, listLabels } from '#contract/labels.ts'
import { renameProject } from '#contract/orgSettings.ts'
import { listPosts, rowsOf } from '#contract/postLists.ts'
import { addNote, postNotes } from '#contract/postNotes.ts'
import { getPost } from '#contract/posts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { draftBody, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { storedIn } from './storedIn.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

/** The same words as keyboards send them, and as they come from macOS's files, Excel and a phone's contacts. */
const [typed, sent] = ['Crème brûlée 한국', '\ufeffCre\u0300me bru\u0302le\u0301e \u202e한국'.normalize('NFD')]
const as = () => ({ as: home.person })

describe('what people write is stored in one form:', () => {
  it('a post, and the words that find it', async () => {
    const channel = await content.channel(home)
    const postId = await posts.post(home, channel, { text: sent })
    const post = await app.call(getPost, { params: { ...home.params, postId } }, as())
    expect(post.contents.map(({ text }) => text)).toEqual([typed])
    for (const q of ['crème', 'cre\u0300me']) {
      const found = await app.call(listPosts, { params: home.params, query: { q } }, as())
      expect(rowsOf(found).map((row) => row.postId)).toEqual([postId])
    }
  })

  it('a draft', async () => {
    const postId = randomUUID()
    const draft = draftBody({ text: sent, thread: [{ text: sent, media: [] }], firstComment: sent })
    await app.call(saveDraft, { params: { ...home.params, postId }, body: { version: 0, draft } }, as())
    expect((await app.call(getPost, { params: { ...home.params, postId } }, as())).draft).toMatchObject({
      text: typed,
      thread: [{ text: typed }],
      firstComment: typed,
    })
  })

  it('names of labels, groups of hashtags and projects, and whether they are taken', async () => {
    const { params } = home
    await app.call(createLabel, { params, body: { labelName: sent, color: 'green' } }, as())
    expect((await app.call(listLabels, { params, query: {} }, as())).labels.map((one) => one.labelName)).toEqual([
      typed,
    ])
    await expect(
      app.call(createLabel, { params, body: { labelName: typed, color: 'green' } }, as()),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await app.call(createHashtagGroup, { params, body: { name: sent, hashTags: ['cre\u0300me'] } }, as())
    const { groups } = await app.call(listHashtagGroups, { params }, as())
    expect(groups).toMatchObject([{ name: typed, hashTags: ['crème'] }])
    const body = { projectId: home.projectId, projectName: 'Cre\u0300me' }
    await app.call(renameProject, { params: { orgId: home.orgId }, body }, as())
    const { rows } = await app.database.owner.query('select name from project where id = $1', [home.projectId])
    expect(rows).toEqual([{ name: 'Crème' }])
  })

  it('a note', async () => {
    const postId = await posts.post(home, await content.channel(home))
    await app.call(addNote, { params: home.params, body: { postId, text: sent, mentions: [] } }, as())
    const { notes } = await app.call(postNotes, { params: { ...home.params, postId } }, as())
    expect(notes.map(({ text }) => text)).toEqual([typed])
  })

  it('but passwords, and whatever needs no change, stay as they came', () => {
    const body = { password: 'Cre\u0300me', texts: [{ text: 'Hello' }], at: null }
    expect(storedIn(body)).toBe(body)
    expect(storedIn({ ...body, texts: [{ text: sent }] })).toEqual({ ...body, texts: [{ text: typed }] })
  })
})

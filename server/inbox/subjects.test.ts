import { afterAll, beforeAll, expect, it } from 'vitest'
import { insightsPost } from '#contract/analytics/posts.ts'
import { getConversation } from '#contract/inbox/conversations.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { received } from '../testing/inbox.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const subject = { at: null, url: null, isOurs: true, person: null }

it('shows what a post looks like that was published elsewhere, and counts its conversations', async () => {
  const home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const [channelId, other] = [await contentOn(app.parts).channel(home), await contentOn(app.parts).channel(home)]
  const postId = await figuresOn(app.database).elsewhere(home, channelId, '2026-11-19T10:00:00Z', {
    remoteId: 'native',
    text: 'Made in the app',
  })
  const about = async (remoteId: string, on = channelId, text = '') => {
    const { conversationId } = await received(app, home, {
      channelId: on,
      threadKey: `${on} ${remoteId} ${text}`,
      subject: { ...subject, remoteId, text },
    })
    return await app.call(getConversation, { params: { ...home.params, conversationId } }, { as: home.person })
  }
  expect((await about('native')).subject).toEqual({
    postId: null,
    text: 'Made in the app',
    at: '2026-11-19T10:00:00.000Z',
    url: 'https://platform.example/native',
    // through our server, never the platform's own address
    pictureUrl: expect.stringMatching(/^\/api\/.+\/account-picture\?/),
    person: null,
  })
  // what the inbox was told comes first
  expect((await about('native', channelId, 'As it is now')).subject).toMatchObject({
    text: 'As it is now',
    pictureUrl: expect.any(String),
  })
  // neither another post nor another channel
  for (const { subject: shown } of [await about('unknown'), await about('native', other)])
    expect(shown).toMatchObject({ text: '', url: null, pictureUrl: null })
  const one = await app.call(insightsPost, { params: { ...home.params, postId } }, { as: home.person })
  expect(one.conversations).toEqual({ count: 2, open: 2 })
})

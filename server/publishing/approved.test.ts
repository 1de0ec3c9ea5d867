import { randomUUIDv7 } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { contentHash, type Content } from '../approvals/content.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

/** A round of approval of the post as it is now. */
async function round(postId: string, state: 'open' | 'approved' | 'rejected' | 'void'): Promise<void> {
  const { rows } = await room.database.owner.query<Content>('select * from post where id = $1', [postId])
  if (!rows[0]) throw new Error('no post')
  const steps = JSON.stringify([
    { needs: 'any', approvers: [{ kind: 'member', userId: room.house.personId, name: 'Ada' }] },
  ])
  await room.database.owner.query(
    'insert into approval (org_id, id, post_id, workflow_name, steps, content_hash, state, sent_by, sent_at, step_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)',
    [
      room.house.orgId,
      randomUUIDv7(),
      postId,
      'Any Admin',
      steps,
      contentHash(rows[0]),
      state,
      room.house.personId,
      room.clock.now(),
    ],
  )
}
const slipIn = (postId: string, text: string) =>
  room.database.owner.query('update post set contents = $1 where id = $2', [
    JSON.stringify([{ text, media: [] }]),
    postId,
  ])

describe('a post that was sent for approval', () => {
  it('is published as it was approved', async () => {
    const id = await room.post(0, 'Approved words')
    await round(id, 'approved')
    await room.start()
    await room.reaches(id, 'PUBLISHED')
    expect(room.commits('Approved words')).toBe(1)
  })

  it('is not sent if its content was changed after the approval, and says why', async () => {
    const id = await room.post(0, 'Approved words')
    await round(id, 'approved')
    await slipIn(id, 'Slipped in')
    await room.start()
    await room.reaches(id, 'FAILED')
    expect(room.commits('Slipped in')).toBe(0)
    expect((await room.row(id))['failure']).toMatchObject({
      class: 'permanent',
      code: 'not-what-was-approved',
    })
  })

  it.each(['open', 'rejected'] as const)(
    'is not sent while its last round is %s, whatever its state says',
    async (state) => {
      const id = await room.post(0, `Never ${state}`)
      await round(id, state)
      await room.start()
      await room.reaches(id, 'FAILED')
      expect(room.commits(`Never ${state}`)).toBe(0)
    },
  )

  it('is published once someone with permission withdraws it from approval and schedules it', async () => {
    const id = await room.post(0, 'Without approval')
    await round(id, 'void')
    await room.start()
    await room.reaches(id, 'PUBLISHED')
  })
})

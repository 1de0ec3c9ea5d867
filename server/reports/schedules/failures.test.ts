import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendReportMail } from '#contract/reports/schedules.ts'
import { MailDelayed, MailRefused } from '../../mail/mailer.ts'
import { client, MONDAY, startScheduleHarness, type ScheduleHarness } from '../../testing/scheduleHarness.ts'
import { teamOn } from '../../testing/team.ts'

let s: ScheduleHarness
beforeAll(async () => {
  s = await startScheduleHarness()
})
afterAll(() => s.app.close())
beforeEach(() => s.begin())

describe('a run that fails', () => {
  it('is tried three times; then its owner is told', async () => {
    s.makers.answer = () => {
      throw new Error('out of order')
    }
    const params = await s.on.schedule(s.home)
    s.clockTo(MONDAY)
    await s.work.minute()
    s.app.clock.advance({ minutes: 5 })
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'making', reason: null }])
    s.app.clock.advance({ minutes: 10 })
    await s.work.minute()
    s.app.clock.advance({ days: 1 })
    await s.work.minute()
    expect(s.makers.orders).toHaveLength(3)
    expect(await s.runs(params)).toMatchObject([{ state: 'failed', reason: 'broken', files: [] }])
    expect(await s.notices()).toMatchObject([{ kind: 'report-failed', count: 1 }])
  })

  it('is noted for a report that can no longer be read too, once', async () => {
    const params = await s.on.schedule(s.home)
    const { rows } = await s.app.database.owner.query<{ content: unknown }>(
      'select content from report where id = $1',
      [params.reportId],
    )
    const put = (content: unknown) =>
      s.app.database.owner.query('update report set content = $2 where id = $1', [
        params.reportId,
        JSON.stringify(content),
      ])
    await put({ days: { span: 'decade' } })
    s.clockTo(MONDAY)
    for (const minutes of [0, 5, 10, 60]) {
      s.app.clock.advance({ minutes })
      await s.work.minute()
    }
    await put(rows[0]?.content)
    expect(await s.runs(params)).toMatchObject([{ dueAt: MONDAY.toISOString(), state: 'failed', reason: 'broken' }])
    expect(await s.notices()).toMatchObject([{ kind: 'report-failed', count: 1 }])
    expect(s.makers.orders).toEqual([])
  })

  it('goes on where it was after a failure', async () => {
    const user = await s.app.colleague(s.home, 'user')
    await s.on.schedule(s.home, { userIds: [s.home.person.personId, user.personId] })
    let tries = 0
    s.makers.answer = (order) => {
      tries += 1
      if (tries === 2) throw new Error('out of order')
      return {
        pdf: s.makers.bytes(order),
        pages: 1,
        range: { from: '2026-11-16', to: '2026-11-22' },
        reportName: 'x',
        notFinal: [],
      }
    }
    s.clockTo(MONDAY)
    await s.work.minute()
    s.app.clock.advance({ minutes: 5 })
    await s.work.minute()
    expect(tries).toBe(3)
    expect([s.to(s.home.person.email).length, s.to(user.email).length]).toEqual([1, 1])
  })

  it('says that a report has too much in it', async () => {
    s.makers.answer = () => ({ refused: 'tooLarge' })
    const params = await s.on.schedule(s.home)
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'failed', reason: 'tooLarge' }])
    expect((await s.notices())[0]?.body).toContain('too much in it')
  })

  it("holds no other organization's runs up", async () => {
    const slow = await s.app.signedInOwner()
    await teamOn(s.app).plan(slow, 'team')
    for (let n = 0; n < 4; n += 1) await s.on.schedule(slow)
    const params = await s.on.schedule(s.home)
    let release = () => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    const make = s.makers.all.make
    s.makers.all.make = async (order) => {
      if (order.orgId === slow.orgId) await stuck
      return await make(order)
    }
    s.clockTo(MONDAY)
    await s.work.due()
    const pass = s.work.run()
    // two of theirs are under way at most, so there's a place for others
    await expect.poll(async () => (await s.runs(params))[0]?.state).toBe('done')
    const { rows } = await s.app.database.owner.query<{ n: string }>(
      'select count(*) as n from report_run where org_id = $1 and lease_until is not null',
      [slow.orgId],
    )
    expect(Number(rows[0]?.n)).toBe(2)
    release()
    await pass
    await s.work.minute()
    const all = await s.app.database.owner.query("select from report_run where org_id = $1 and state = 'done'", [
      slow.orgId,
    ])
    expect(all.rowCount).toBe(4)
  })
})

describe('a mail', () => {
  it('that is refused, or that the mail server did not answer, is told to the owner once and can be sent again', async () => {
    const params = await s.on.schedule(s.home, { emails: [client, 'lost@example.com'] })
    await s.confirm()
    await s.confirm('lost@example.com')
    s.fates.set(client, () => {
      throw new MailRefused('no such mailbox')
    })
    s.fates.set('lost@example.com', () => {
      throw new Error('connection lost')
    })
    s.clockTo(MONDAY)
    await s.work.minute()
    s.app.clock.advance({ days: 1 })
    await s.work.minute()
    const [run] = await s.runs(params)
    expect(run?.state).toBe('done')
    expect(run?.mails.map(({ email, state }) => [email, state])).toEqual([
      [s.home.person.email, 'sent'],
      ['lost@example.com', 'unconfirmed'],
      [client, 'refused'],
    ])
    expect(await s.notices()).toMatchObject([
      {
        kind: 'report-undelivered',
        count: 1,
        body: "One address refused the email. We don't know if one email arrived, so we didn't send it again. You'll find them in the list of runs, where you can send them again.",
      },
    ])
    s.fates.clear()
    const lost = run?.mails.find(({ state }) => state === 'unconfirmed')
    const again = (mailId = lost?.mailId ?? '', who = s.home.person) =>
      s.app.send(sendReportMail, { params: { ...params, mailId } }, { as: who })
    expect((await again(undefined, await s.app.colleague(s.home, 'user'))).statusCode).toBe(403)
    expect((await again(run?.mails.find(({ state }) => state === 'sent')?.mailId)).statusCode).toBe(404)
    expect((await again()).statusCode).toBe(200)
    await s.work.run()
    expect(s.to('lost@example.com').filter(({ attachments }) => attachments)).toHaveLength(1)
    expect((await s.runs(params))[0]?.mails.filter(({ state }) => state === 'sent')).toHaveLength(2)
    expect((await again()).statusCode).toBe(404)
  })

  it('that the mail server cannot take now is tried for some hours', async () => {
    const params = await s.on.schedule(s.home)
    let tries = 0
    s.fates.set(s.home.person.email, () => {
      tries += 1
      if (tries < 3) throw new MailDelayed('busy')
    })
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'sending', mails: [{ state: 'pending' }] }])
    s.app.clock.advance({ minutes: 5 })
    await s.work.minute()
    s.app.clock.advance({ minutes: 10 })
    await s.work.minute()
    expect([tries, s.to(s.home.person.email).length]).toEqual([3, 1])
    expect(await s.runs(params)).toMatchObject([{ state: 'done', mails: [{ state: 'sent', reason: null }] }])
    expect(s.makers.orders).toHaveLength(1)
  })

  it('that the mail server never takes fails in the end', async () => {
    const params = await s.on.schedule(s.home)
    s.fates.set(s.home.person.email, () => {
      throw new MailDelayed('busy')
    })
    s.clockTo(MONDAY)
    for (let n = 0; n < 8; n += 1) {
      await s.work.minute()
      s.app.clock.advance({ hours: 4 })
    }
    expect(await s.runs(params)).toMatchObject([{ state: 'done', mails: [{ state: 'failed' }] }])
    expect(await s.notices()).toMatchObject([
      { kind: 'report-undelivered', body: expect.stringContaining("One email couldn't be sent") },
    ])
  })
})

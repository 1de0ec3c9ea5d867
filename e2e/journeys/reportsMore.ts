import { insightsAnalysisFacts } from '#contract/analytics/analysis.ts'
import { createCampaign } from '#contract/campaigns.ts'
import { createBioPage } from '#contract/linkInBio/pages.ts'
import { figureText } from '#contract/analytics/labels.ts'
import { createReport, deleteReport, getReport, saveReport } from '#contract/reports/reports.ts'
import { createReportSchedule, reportRecipients } from '#contract/reports/schedules.ts'
import { contentOf } from '#contract/reports/templates.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { reaching, test } from '../harness.ts'
import { setPlan } from '../plans.ts'
import { startProductWithAi } from '../product.ts'
import { refuse } from '../replies.ts'
import { newColleague } from '../team.ts'

const body = { reportName: 'Harbor', template: 'month' } as const

test('reports: AI writes a text, people edit it, and why there is none', async ({ stage }) => {
  const product = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  const person = await product.newPerson({ page: { timezoneId: 'UTC' } })
  const { page, ids } = person
  const [instagram = ''] = await addChannels(product, person, [{ platform: 'instagram', name: 'Coffee' }])
  await addFigures(product, person, [
    { channelId: instagram, followers: 12_400, post: (i) => ({ views: 2000 + i * 7, reactions: 90 + i }) },
  ])
  const { reportId } = await callAs(page, createReport, { params: ids, body })
  const { range } = await callAs(page, getReport, { params: { ...ids, reportId } })
  const coming = page.waitForResponse((reply) => reply.url().includes('/insights/analysis/facts'))
  await page.goto(person.at('insights/ai-analysis?range=month'))
  const { facts } = insightsAnalysisFacts.reply.parse(await (await coming).json())
  const reactions = facts.find(({ group, name }) => group === 'total' && name === 'reactions')
  if (!reactions) throw new Error('no reactions')
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  await page.getByRole('button', { name: 'Add block' }).press('Enter')
  await page.getByRole('menuitem', { name: /^AI text/ }).press('Enter')
  const settings = page.getByRole('group', { name: 'Settings of AI text' })
  const write = settings.getByRole('button', { name: 'Write (1 credit)' })
  product.ai.next({ status: 503 })
  await write.press('Enter')
  await settings.getByRole('alert').getByText('No credits were used').waitFor()
  await axe(page)
  const sentence = `There were ${figureText('reactions', reactions.value)} reactions.`
  product.ai.next({ json: { sentences: [{ text: sentence, facts: [reactions.id] }] } })
  await write.press('Enter')
  const text = settings.getByRole('textbox', { name: 'Text' })
  await settings.getByText(/^Written about /).waitFor()
  if (!(await text.inputValue()).includes(sentence)) throw new Error(await text.inputValue())
  await text.fill(`${sentence} A strong month.`)
  await settings.getByRole('checkbox', { name: 'Write it again for each sending' }).check()
  await axe(page)
  await shot(page, 'report-ai')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Report saved').waitFor()
  const { content } = await callAs(page, getReport, { params: { ...ids, reportId } })
  const block = content.blocks.find(({ kind }) => kind === 'ai')
  if (block?.kind !== 'ai' || !block.renew || block.about?.from !== range.from) throw new Error(JSON.stringify(block))
})

test('reports: a preview that fails says why, and a report deleted elsewhere too', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page, ids } = person
  const { reportId } = await callAs(page, createReport, { params: ids, body })
  await refuse(page, /\/reports\/preview$/, 'LIMIT_EXCEEDED')
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  await page.getByText("The preview couldn't be drawn").waitFor()
  await axe(page)
  await page.unroute(/\/reports\/preview$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  const first = page.getByRole('img', { name: /^Page 1 of \d+: Cover/ })
  await first.waitFor()
  await refuse(page, /\/reports\/preview$/, 'LIMIT_EXCEEDED')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quay')
  await page.getByText("The preview couldn't be updated").waitFor()
  await first.waitFor()
  await axe(page)
  await shot(page, 'report-preview-failed')
  await page.unroute(/\/reports\/preview$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText("The preview couldn't be updated").waitFor({ state: 'detached' })
  await callAs(page, deleteReport, { params: { ...ids, reportId } })
  await page.getByRole('alert').getByText("Your changes can't be saved anymore").waitFor()
  await axe(page)
  await shot(page, 'report-deleted-elsewhere')
  await page.getByRole('link', { name: 'All reports' }).click()
  await page.getByText('No reports yet').waitFor()
})

test("reports: a schedule whose owner can't see the report is taken over; a plan without them says so", async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page, ids } = person
  const { reportId } = await callAs(page, createReport, { params: ids, body })
  await callAs(page, saveReport, {
    params: { ...ids, reportId },
    body: { reportName: 'Harbor', content: contentOf('empty'), version: 1 },
  })
  const colleague = await newColleague(stage, person, { role: 'editor' })
  const { people } = await callAs(page, reportRecipients, { params: ids })
  await callAs(colleague.page, createReportSchedule, {
    params: { ...ids, reportId },
    body: {
      when: { frequency: 'weekly', day: 1, time: '09:00', timezone: 'Europe/Berlin' },
      waitDays: 1,
      userIds: people.map(({ userId }) => userId),
      emails: [],
    },
  })
  await inDatabase(stage, ({ system }) =>
    system.query(
      'delete from project_member where project_id = $1 and person_id = (select id from person where email = $2)',
      [ids.projectId, colleague.email],
    ),
  )
  // as its notification leads there
  await page.goto(person.at(`insights/report-builder/${reportId}?open=schedules`))
  const schedule = page.getByRole('region', { name: 'Every Monday at 09:00 AM' })
  await schedule.getByText("Paused: Grace Hopper can't see this report anymore").waitFor()
  await axe(page)
  await shot(page, 'report-schedule-owner')
  await schedule.getByRole('button', { name: 'Take over' }).press('Enter')
  await schedule.getByText('Sent in your name').waitFor()
  await schedule.getByText(/can't see this report anymore/).waitFor({ state: 'detached' })

  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  for (const place of [`insights/report-builder/${reportId}`, 'insights/report-builder']) {
    await page.goto(person.at(place))
    await page.getByRole('heading', { level: 1, name: 'Report Builder' }).waitFor()
    await page.getByRole('button', { name: 'See plans' }).waitFor()
    await axe(page)
  }
})

test('reports: every kind of block is added, set and drawn', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page, ids } = person
  await addChannels(stage, person, [{ platform: 'instagram', name: 'Coffee' }])
  await callAs(page, createBioPage, { params: ids, body: { name: 'Quay links', slug: 'quay-report' } })
  await callAs(page, createCampaign, {
    params: ids,
    body: { name: 'Winter roast', color: 'orange', startsOn: null, endsOn: null },
  })
  const { reportId } = await callAs(page, createReport, { params: ids, body: { ...body, template: 'empty' } })
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Add block' }).press('Enter')
    await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).press('Enter')
    const settings = page.getByRole('group', { name: `Settings of ${kind}` })
    await settings.waitFor()
    return settings
  }
  const figures = await add('Figures')
  await figures.getByRole('combobox', { name: 'Width' }).selectOption('A third')
  // a table takes all of the width, so there's nothing to choose
  await figures.getByRole('combobox', { name: 'Shown' }).selectOption('By platform')
  await figures.getByRole('combobox', { name: 'Width' }).waitFor({ state: 'detached' })
  await figures.getByRole('combobox', { name: 'Shown' }).selectOption('In total')
  const chart = await add('Chart')
  await chart.getByRole('combobox', { name: 'Width' }).selectOption('A third')
  await chart.getByRole('combobox', { name: 'Drawn as' }).selectOption('Bars')
  await chart.getByRole('combobox', { name: 'Height' }).selectOption('Low')
  await chart.getByRole('combobox', { name: 'Figure' }).selectOption('Followers')
  await axe(page)
  const bio = await add('Link in bio')
  await bio.getByRole('combobox', { name: 'Width' }).selectOption('A third')
  await bio.getByRole('combobox', { name: 'Page' }).selectOption('Quay links')
  await axe(page)
  await shot(page, 'report-thirds')
  await page.setViewportSize({ width: 1024, height: 768 })
  await shot(page, 'report-thirds-small')
  await page.setViewportSize(DESKTOP)
  const table = await add('Post table')
  await table.getByRole('combobox', { name: 'Sorted by' }).selectOption('Reactions')
  await table.getByRole('combobox', { name: 'Order' }).selectOption('Fewest first')
  await table.getByRole('spinbutton', { name: 'Posts at most' }).fill('501')
  await table.getByRole('alert').waitFor()
  await page.getByText('1 field to correct').first().waitFor()
  await axe(page)
  await table.getByRole('spinbutton', { name: 'Posts at most' }).fill('20')
  const top = await add('Top posts')
  await top.getByRole('combobox', { name: 'By' }).selectOption('Comments')
  await top.getByRole('spinbutton', { name: 'Posts' }).fill('3')
  await axe(page)
  const campaigns = await add('Campaigns')
  await campaigns.getByRole('button', { name: 'Campaigns', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Winter roast' }).check()
  await page.keyboard.press('Escape')
  await axe(page)
  await add('Competitors')
  await axe(page)
  await add('Inbox and reply times')
  await axe(page)
  const cover = page.getByRole('list', { name: 'Blocks of the report' }).locator('[data-block=b1]')
  await cover.click()
  await page.getByRole('textbox', { name: 'Line below the title (optional)' }).fill('For Harbor Coffee')
  await axe(page)
  await add('Page break')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Report saved').waitFor()
  const { content } = await callAs(page, getReport, { params: { ...ids, reportId } })
  const kinds = content.blocks.map(({ kind }) => kind).join(' ')
  if (kinds !== 'cover pageBreak figures chart bio postTable topPosts campaigns competitors inbox')
    throw new Error(kinds)
  await page.getByRole('img', { name: /^Page 1 of \d+: Cover/ }).waitFor()
  await page.getByText('Updating').waitFor({ state: 'detached' })
  if ((await page.getByText(/The preview couldn't/).count()) > 0) throw new Error('not drawn')
  await shot(page, 'report-kinds')
})

import { insightsAnalysisFacts, type AnalysisFacts } from '#contract/analytics/analysis.ts'
import { figureText } from '#contract/analytics/labels.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { reaching, test } from '../harness.ts'
import { setPlan, useCredits } from '../plans.ts'
import { startProductWithAi } from '../product.ts'

test('insights ai: a text whose numbers are those of the figures, and lead to them', async ({ stage }) => {
  const product = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  const { ai, newPerson } = product
  // the zone of all figures here, so that project and figures agree on the day
  const person = await newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [instagram = '', bluesky = '', youtube = ''] = await addChannels(product, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'bluesky', name: 'Beans' },
    { platform: 'youtube', name: 'Films' },
  ])
  const wave = (i: number, size: number) => Math.round(size * (1 + 0.4 * Math.sin(i / 3)) + ((i * 37) % 11))

  await page.goto(person.at('insights/ai-analysis?range=30'))
  await page.getByText('No figures in these days').waitFor()
  await axe(page)

  await addFigures(product, person, [
    { channelId: instagram, followers: 12_400, post: (i) => ({ views: wave(i, 2100), reactions: wave(i, 90) }) },
    { channelId: bluesky, followers: 840, post: (i) => ({ reactions: wave(i, 14), comments: i % 3 }) },
    { channelId: youtube, followers: 5200, post: (i) => ({ views: wave(i, 700), reactions: wave(i, 25) }) },
  ])
  const facts = page.waitForResponse((reply) => reply.url().includes('/insights/analysis/facts'))
  await page.reload()
  const found = insightsAnalysisFacts.reply.parse(await (await facts).json())
  await page.getByRole('table', { name: 'All channels together' }).waitFor()
  await page.getByText("YouTube isn't included", { exact: false }).waitFor()
  await axe(page)
  await shot(page, 'ai-analysis-facts', { fullPage: true })

  const of = (group: string, name: string): AnalysisFacts['facts'][number] => {
    const fact = found.facts.find((one) => one.group === group && one.name === name)
    if (!fact) throw new Error(`no fact of ${group} ${name}`)
    return fact
  }
  const [reactions, channel, post] = [of('total', 'reactions'), of('channel', 'engagements'), of('post', 'engagements')]
  const text = (fact: AnalysisFacts['facts'][number]) => figureText(fact.name, fact.value)
  const answer = {
    sentences: [
      { text: `There were ${text(reactions)} reactions.`, facts: [reactions.id] },
      { text: 'There were 98,765 reactions.', facts: [reactions.id] },
      { text: `C1 had ${text(channel)} engagements.`, facts: [channel.id] },
      { text: `P1 has ${text(post)} engagements so far.`, facts: [post.id] },
      { text: `Reactions: ${text(reactions)}, see https://evil.example.`, facts: [reactions.id] },
    ],
  }

  // a failure says why, and that nothing was charged
  const write = page.getByRole('button', { name: 'Write analysis (1 credit)' })
  ai.next({ status: 503 })
  await write.click()
  await page.getByText("We can't reach the AI service right now.", { exact: false }).waitFor()
  await page.getByText('No credits were used.', { exact: false }).waitFor()
  await axe(page)

  // by keyboard
  ai.next({ json: answer })
  await write.focus()
  await page.keyboard.press('Enter')
  const analysis = page.getByRole('region', { name: 'Analysis', exact: true })
  await analysis.getByText('2 sentences were left out', { exact: false }).waitFor()
  await analysis.getByText('AI credits left', { exact: false }).waitFor()
  if ((await page.getByText(/98,765|evil/).count()) > 0) throw new Error('an unchecked sentence was shown')
  await axe(page)
  await shot(page, 'ai-analysis', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'ai-analysis-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // a number leads to its figure with the same days, and the text is still there afterwards
  await analysis
    .getByRole('link', { name: text(reactions), exact: true })
    .first()
    .click()
  await page.waitForURL(/insights\/insights\?.*range=30/)
  await page.goBack()
  await analysis.getByText('2 sentences were left out', { exact: false }).waitFor()

  // what worked is among the facts, and leads to the comparison
  const worked = page.getByRole('table', { name: 'What worked' })
  await worked
    .getByText(/^usually [\d,]+ to [\d,]+ \(\d+ posts\), against \d+ to \d+ \(\d+ posts\)$/)
    .first()
    .waitFor()
  await worked.getByRole('link', { name: /^Instagram · Text, against Bluesky · Text: Engagements/ }).click()
  await page.waitForURL(/insights\/insights\?.*workedBy=format.*#what-worked$/)
  await page.getByRole('list', { name: 'Clear differences' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'what-worked')
  await page.goBack()
  await analysis.getByText('2 sentences were left out', { exact: false }).waitFor()

  // nothing that holds: nothing is shown; and without credits, what to do
  ai.next({ json: { sentences: [answer.sentences[1]] } }, { json: { sentences: [] } })
  await page.reload()
  await write.click()
  await page.getByText('Nothing that the AI model wrote matched your figures', { exact: false }).waitFor()
  await setPlan(product, person, { planId: 'team', status: 'ACTIVE' })
  await useCredits(product, person, 1000)
  await page.reload()
  await write.click()
  await page.getByText('AI Credit Limit Reached').waitFor()
  await axe(page)
})

test('insights ai: without a model, the figures are there, and why there is no text', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [bluesky = ''] = await addChannels(stage, person, [{ platform: 'bluesky', name: 'Beans' }])
  await addFigures(stage, person, [{ channelId: bluesky, followers: 840, post: (i) => ({ reactions: 10 + (i % 7) }) }])
  await page.goto(person.at('insights/ai-analysis'))
  await page.getByText("AI isn't set up on this server", { exact: false }).waitFor()
  await page.getByRole('table', { name: 'All channels together' }).waitFor()
  await page.getByRole('button', { name: /^Write analysis/ }).waitFor({ state: 'detached' })
  await axe(page)
  await shot(page, 'ai-analysis-without')
})

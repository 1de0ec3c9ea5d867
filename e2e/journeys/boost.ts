import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { submitPosts } from '../posts.ts'
import { changeReply, refuseOnce } from '../replies.ts'
import { connect, onSimulators } from '../simulated.ts'

test('boost: a published Page post is promoted, monitored and stopped, once its channel is connected as Ad Manager', async ({
  stage,
}) => {
  const { person } = await onSimulators(stage)
  const { page } = person
  await connect(person, 'facebook')
  const [postId = ''] = await submitPosts(
    person,
    ['New roast on the shelf: Ethiopia, washed, with a taste of apricot.'],
    { type: 'NOW' },
    'PUBLISH',
  )
  await page.goto(person.at(`post/${postId}`))
  const promotion = page.getByRole('region', { name: 'Promotion' })
  await promotion.getByText('Promoting needs a connection as Ad Manager.').waitFor()
  await axe(page)
  await shot(page, 'boost-obstacle')

  // the fix leads away and back
  await promotion.getByRole('link', { name: 'Reconnect as Ad Manager' }).click()
  const again = page.getByRole('dialog', { name: 'Reconnect Facebook' })
  await again.getByText('It will be connected as Ad Manager.').waitFor()
  await axe(page)
  await shot(page, 'boost-reconnect')
  await again.getByRole('button', { name: 'Reconnect on Facebook' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Channel reconnected').first().waitFor()

  await page.goto(person.at(`post/${postId}`))
  await promotion.getByText('Show this post to more people on Facebook').waitFor()
  await shot(page, 'boost-none')
  await promotion.getByRole('button', { name: 'Promote Facebook post' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Promote Facebook post' })
  await dialog.getByRole('combobox', { name: 'Audience' }).waitFor()
  await dialog.getByLabel('Total budget').fill('1')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').filter({ hasText: 'Choose an audience' }).waitFor()
  await dialog.getByText('At least $5.00 for 5 days').waitFor()
  await axe(page)
  await shot(page, 'boost-wrong')
  await dialog.getByRole('combobox', { name: 'Audience' }).selectOption({ label: 'Coffee lovers nearby' })
  await dialog.getByLabel('Total budget').fill('25')
  await dialog.getByText('About $5.00 a day').waitFor()
  await axe(page)
  await shot(page, 'boost-dialog')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'boost-dialog-phone')
  await page.setViewportSize(DESKTOP)
  await dialog.getByLabel('Days').press('Enter')
  await page.getByText('Setting up the promotion on Facebook').waitFor()
  await promotion.getByText('In review').waitFor()
  await promotion.getByText('$25.00 for 5 days').waitFor()
  await axe(page)
  await shot(page, 'boost-review')

  // what would take days
  const path = `**/api/${person.ids.orgId}/project/${person.ids.projectId}/post/${postId}/boost`
  await changeReply(page, path, (reply) => ({
    ...Object(reply),
    boosts: Object(reply).boosts.map((boost: object) => ({
      ...boost,
      status: 'ACTIVE',
      spent: 1040,
      impressions: 4210,
      reach: 3377,
      readAt: new Date().toISOString(),
    })),
  }))
  await page.reload()
  await promotion.getByText('$10.40 of $25.00').waitFor()
  await shot(page, 'boost-active')
  await page.setViewportSize(PHONE)
  await axe(page)
  await promotion.scrollIntoViewIfNeeded()
  await shot(page, 'boost-active-phone')
  await page.setViewportSize(DESKTOP)
  await page.unroute(path)
  await changeReply(page, path, (reply) => ({
    ...Object(reply),
    boosts: Object(reply).boosts.map((boost: object) => ({
      ...boost,
      status: 'REJECTED',
      problem: {
        text: 'Facebook rejected this promotion in its review: It promises more than it can keep.',
        advice: 'Ask for another review in Ads Manager, or promote another post.',
      },
    })),
  }))
  await page.goto(person.at(`posts/posts?post=${postId}`))
  await page.getByText('Facebook rejected this promotion in its review').waitFor()
  await axe(page)
  await shot(page, 'boost-rejected-sheet')
  await page.unroute(path)

  await page.goto(person.at(`post/${postId}`))
  await promotion.getByRole('button', { name: 'Stop promotion' }).click()
  const sure = page.getByRole('dialog', { name: 'Stop this promotion?' })
  await axe(page)
  await shot(page, 'boost-stop')
  await sure.getByRole('button', { name: 'Stop promotion' }).click()
  await promotion.getByText('Stopped', { exact: true }).waitFor()
  await promotion.getByRole('button', { name: 'Promote Facebook post' }).waitFor()
  await axe(page)
  await shot(page, 'boost-stopped')

  // what can't be loaded is mentioned in the dialog
  await page.reload()
  await refuseOnce(page, `${path}/accounts`, 'CHANNEL_REFUSED')
  await promotion.getByRole('button', { name: 'Promote Facebook post' }).click()
  await dialog.getByText('The platform rejected the connection.').waitFor()
  await axe(page)
  await shot(page, 'boost-away')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('combobox', { name: 'Audience' }).waitFor()
})

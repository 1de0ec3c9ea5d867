import { axe, DESKTOP, PHONE, shot } from '../browser.ts'
import { journey } from '../harness.ts'

export const journeys = [
  journey('apps: an admin sees what to register, enters it, changes it and takes it away', async ({ newPerson }) => {
    const person = await newPerson({ upTo: 'project' })
    const { page } = person
    await page.goto(person.at('channels'))
    await page.getByRole('link', { name: 'Platform setup' }).click()
    await page.getByRole('heading', { name: 'Platform setup', level: 1 }).waitFor()
    const table = page.getByRole('table', { name: 'Platforms' })
    const row = table.getByRole('row').filter({ hasText: 'Facebook' })
    await row.getByText('Not set up').waitFor()
    await row.getByText('Needs https').waitFor()
    await table.getByRole('row').filter({ hasText: 'Bluesky' }).getByText('Nothing to set up').waitFor()
    await axe(page)
    await shot(page, 'apps')
    await page.setViewportSize(PHONE)
    await axe(page)
    await shot(page, 'apps-phone', { fullPage: true })
    await page.setViewportSize(DESKTOP)

    await row.getByRole('button', { name: 'Set up Facebook' }).click()
    const sheet = page.getByRole('dialog', { name: 'Set up Facebook' })
    await sheet.getByText('This platform needs a public https address').waitFor()
    const redirect = await sheet.getByRole('textbox', { name: 'Redirect address' }).inputValue()
    if (redirect !== `${new URL(page.url()).origin}/oauth/facebook/callback`)
      throw new Error(`another address: ${redirect}`)
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.getByText('Enter the id').waitFor()
    await sheet.getByText('Enter the secret').waitFor()
    await sheet.getByText('Rights that Rookery asks for').click()
    await sheet.getByText('pages_manage_posts').waitFor()
    await axe(page)
    await shot(page, 'apps-sheet')
    await sheet.getByLabel('App ID').fill('1234567890')
    await sheet.getByLabel('App secret', { exact: true }).fill('a-secret')
    await sheet.getByLabel('App secret', { exact: true }).press('Enter')
    await page.getByText('Saved. New channels are connected with this app.').waitFor()
    await sheet.getByText(/^Entered by Ada Lovelace on /).waitFor()
    // whose app signs people in to another platform, too; the list stands behind the sheet
    await page.locator('tr').filter({ hasText: 'Instagram' }).getByText('By Facebook only').waitFor()
    if ((await sheet.getByLabel('App secret', { exact: true }).inputValue()) !== '')
      throw new Error('the secret is shown again')
    await shot(page, 'apps-own')
    await page.setViewportSize(PHONE)
    await axe(page)
    await shot(page, 'apps-own-phone')
    await page.setViewportSize(DESKTOP)

    await page.reload()
    await sheet.getByLabel('App ID').waitFor()
    if ((await sheet.getByLabel('App ID').inputValue()) !== '1234567890') throw new Error('the id is lost')
    await sheet.getByRole('button', { name: 'Remove' }).click()
    const sure = page.getByRole('dialog', { name: 'Remove the app at Facebook?' })
    await sure.getByText('No channel was signed in with it.').waitFor()
    await axe(page)
    await sure.getByRole('button', { name: 'Remove' }).click()
    await sheet.getByText('Not set up').waitFor()
    await page.keyboard.press('Escape')
    await row.getByText('Not set up').waitFor()
  }),

  journey(
    'apps: a platform without an app is shown where channels are connected, with the way to set it up',
    async ({ newPerson }) => {
      const person = await newPerson({ upTo: 'project' })
      const { page } = person
      await page.goto(person.at('channels?connect=list'))
      const dialog = page.getByRole('dialog', { name: 'Add Channel' })
      await dialog.getByText('Connect Facebook').waitFor()
      await axe(page)
      await shot(page, 'connect-list')
      await dialog.getByRole('link', { name: 'Set up Facebook' }).click()
      await page.getByRole('dialog', { name: 'Set up Facebook' }).waitFor()
    },
  ),

  journey('apps: LinkedIn has an app for profiles and one for Pages, Pinterest a sandbox', async ({ newPerson }) => {
    const person = await newPerson({ upTo: 'project' })
    const { page } = person
    await page.goto(person.at('channels/setup'))
    const table = page.getByRole('table', { name: 'Platforms' })
    await table.getByText('LinkedIn profiles').waitFor()
    await table.getByRole('button', { name: 'Set up LinkedIn Pages' }).click()
    const pages = page.getByRole('dialog', { name: 'Set up LinkedIn Pages' })
    await pages.getByText('Community Management API').first().waitFor()
    await pages.getByText('Rights that Rookery asks for').click()
    await pages.getByText('r_basicprofile').waitFor()
    await axe(page)
    await shot(page, 'apps-linkedin-pages')
    await pages.getByLabel('Client ID').fill('pages-app')
    await pages.getByLabel('Primary Client Secret', { exact: true }).fill('a-secret')
    await page.keyboard.press('Enter')
    await page.getByText('Saved. New channels are connected with this app.').waitFor()
    await page.keyboard.press('Escape')
    await table.getByRole('row').filter({ hasText: 'LinkedIn profiles' }).getByText('Not set up').waitFor()

    await table.getByRole('button', { name: 'Set up Pinterest' }).click()
    const pinterest = page.getByRole('dialog', { name: 'Set up Pinterest' })
    await pinterest.getByLabel('App ID').fill('12345')
    await pinterest.getByLabel('App secret key', { exact: true }).fill('a-secret')
    await pinterest.getByRole('checkbox', { name: 'Use the sandbox' }).focus()
    await page.keyboard.press('Space')
    await page.setViewportSize(PHONE)
    await axe(page)
    await shot(page, 'apps-pinterest-phone')
    await page.setViewportSize(DESKTOP)
    await pinterest.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. New channels are connected with this app.').first().waitFor()
    await page.keyboard.press('Escape')
    await table.getByRole('row').filter({ hasText: 'Pinterest' }).getByText('Sandbox').waitFor()
    await shot(page, 'apps-two-of-linkedin')

    await page.goto(person.at('channels?connect=linkedin'))
    const dialog = page.getByRole('dialog', { name: 'Connect LinkedIn' })
    await dialog.getByRole('radio', { name: /^Pages/ }).waitFor()
    await dialog.getByText("The LinkedIn profiles app isn't set up yet.").waitFor()
    if (!(await dialog.getByRole('radio', { name: /^Pages/ }).isChecked()))
      throw new Error('the way that is set up is not chosen')
    await axe(page)
    await shot(page, 'connect-linkedin')
  }),
]

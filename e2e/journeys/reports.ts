import type { Page } from '@playwright/test'
import { getReport, listReports } from '#contract/reports/reports.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { shot } from '../browser.ts'
import { test } from '../harness.ts'

const wide = { width: 1440, height: 900 }
const tablet = { width: 820, height: 1180 }
const phone = { width: 390, height: 844 }

test('reports: create one, order and size its blocks by mouse and by keyboard, undo, save', async ({ newPerson }) => {
  const { page, ids } = await newPerson({ upTo: 'channel', opens: 'insights/report-builder' })
  await page.setViewportSize(wide)
  await page.getByText('No reports yet').waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'New report' }).press('Enter')
  const creation = page.getByRole('dialog', { name: 'New report' })
  await creation.getByRole('button', { name: 'Create report' }).click()
  await creation.getByText('A name is required').waitFor()
  await axe(page)
  await shot(page, 'report-new')
  await creation.getByRole('textbox', { name: 'Name' }).fill('Harbor, November')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Harbor, November' }).waitFor()
  const blocks = page.getByRole('list', { name: 'Blocks of the report' })
  await blocks.getByRole('button', { name: /^Cover/ }).waitFor()
  await axe(page)
  await shot(page, 'report-editor')
  await callAs(page, listReports, { params: ids })
  await callAs(page, getReport, { params: { ...ids, reportId: idIn(page) } })
  for (const [size, name] of [
    [tablet, 'tablet'],
    [phone, 'phone'],
  ] as const) {
    await page.setViewportSize(size)
    await shot(page, `report-editor-${name}`)
  }
})

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

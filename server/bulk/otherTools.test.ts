import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BulkImportDetail } from '#contract/bulk.ts'
import { bulkOn, onPlan } from '../testing/bulk.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

/* Files that other tools' templates and exports make, with their own column names. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let bulk: ReturnType<typeof bulkOn>
let home: TestHome
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  bulk = bulkOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await onPlan(app, home, 'team')
  await content.channel(home, { handle: '@harbour.example' })
})

const file = (...lines: string[]): string => lines.join('\r\n')
const text = 'Tea, at four'
const quoted = `"${text}"`
const picture = 'https://pictures.example/tea.jpg'

/** A file whose one row is a post of Christmas Eve, and what of it is kept. */
const files: [tool: string, source: string, cells: Partial<BulkImportDetail['rows'][number]['cells']>][] = [
  [
    'Buffer',
    file('Text,Image URL,Tags,Posting Time', `${quoted},${picture},Tea,2026-12-24 18:00`),
    { media: picture, labels: 'Tea', date: '2026-12-24 18:00' },
  ],
  [
    'Hootsuite, without a header',
    file('24/12/2026 18:00,"Tea, at four",https://tea.example/menu'),
    { text: `${text}\nhttps://tea.example/menu`, date: '24/12/2026 18:00' },
  ],
  [
    'Hootsuite, with one',
    file('Date,Message,Message URL', `24/12/2026 18:00,${quoted},https://tea.example/menu`),
    { text: `${text}\nhttps://tea.example/menu` },
  ],
  [
    'Sprout Social',
    file('date,time_24hr,message_text,link,image_url', `12/24/2026,18:00,${quoted},,${picture}`),
    { date: '12/24/2026', time: '18:00', media: picture },
  ],
  [
    'Metricool',
    file(
      'Text,Date,Time,Draft,Facebook,Bluesky,Picture Url 1,Picture Url 2,First Comment Text,Shortener',
      `${quoted},2026-12-24,18:00:00,FALSE,FALSE,TRUE,${picture},${picture}?2,Come in!,FALSE`,
    ),
    { media: `${picture}\n${picture}?2`, firstComment: 'Come in!', time: '18:00:00' },
  ],
  [
    'Publer',
    file(
      'Date - Intl. format or prompt,Text,Link(s) - Separated by comma for FB carousels,Media URL(s) - Separated by comma,"Title - For the video, pin, PDF ..",Label(s) - Separated by comma,Comment(s) - Separated by ||',
      `2026-12-24 18:00,${quoted},,${picture},,Tea,First`,
    ),
    { media: picture, labels: 'Tea', firstComment: 'First' },
  ],
  [
    'SocialBee',
    file('text,link,imageUrls,gifUrl,videoUrls,postAtSpecificTime', `${quoted},,${picture},,,2026-12-24 18:00:00`),
    { media: picture, date: '2026-12-24 18:00:00' },
  ],
  [
    'HighLevel',
    file(
      'postAtSpecificTime (YYYY-MM-DD HH:mm:ss),content,link (OGmetaUrl),imageUrls,gifUrl,videoUrls',
      `2026-12-24 18:00:00,${quoted},https://tea.example/menu,,,`,
    ),
    { text: `${text}\nhttps://tea.example/menu` },
  ],
  [
    'Ayrshare',
    file('post,platforms,mediaUrls,scheduleDate', `${quoted},bluesky,${picture},2026-12-24T18:00:00Z`),
    { channel: 'bluesky', media: picture },
  ],
  [
    'a spreadsheet for Excel in Europe',
    file('sep=;', 'Caption;Account;Scheduled at', `${text};Bluesky;24.12.26 18:00`),
    { channel: 'Bluesky', date: '24.12.26 18:00' },
  ],
]

describe('a file of another tool', () => {
  it.each(files)('is read with its own columns: %s', async (_tool, source, cells) => {
    await taxonomyOn(app).label(home, 'Tea')
    const found = await bulk.check(home, [], { source })
    expect(found.rows).toHaveLength(1)
    expect(found.rows[0]?.cells).toMatchObject({ text, ...cells })
    // those that name no channel get the one that a person chooses
    const [row] = found.rows
    const whole =
      row?.cells.channel === ''
        ? await bulk.change(home, found, [{ row: row.row, cells: { channel: '@harbour.example' } }])
        : found
    expect(whole.rows[0]?.errors).toEqual([])
    expect(whole).toMatchObject({ ready: 1, wrong: 0, rows: [{ dueAt: '2026-12-24T18:00:00.000Z' }] })
  })

  it('may leave the channel to a person, and says so at each row', async () => {
    const found = await bulk.check(home, [], {
      source: file('Text,Date', 'One,2026-12-24 18:00', 'Two,2026-12-25 18:00'),
    })
    expect(found.rows.map(({ errors }) => errors)).toEqual(
      Array.from({ length: 2 }, () => [{ column: 'channel', message: "Enter a channel's name, handle or ID." }]),
    )
  })

  it('may name the platform of a channel, if there is one channel', async () => {
    const source = file('Text,Network,Date', 'One,Bluesky,2026-12-24 18:00', 'Two,Twitter,2026-12-24 18:00')
    const found = await bulk.check(home, [], { source })
    expect(found.rows.map(({ channels, errors }) => [channels.map(({ handle }) => handle), errors.length])).toEqual([
      [['@harbour.example'], 0],
      [[], 1],
    ])
    await content.channel(home, { handle: '@twin.example' })
    expect((await bulk.read(home, found)).rows[0]?.errors[0]?.message).toMatch(/^Several channels are called "Bluesky"/)
  })

  it('that is a web page is refused as such', async () => {
    await expect(bulk.check(home, [], { source: '\n<!DOCTYPE html><html><body>' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { source: [expect.stringMatching(/^This is a web page, not a table\./)] } },
    })
  })
})

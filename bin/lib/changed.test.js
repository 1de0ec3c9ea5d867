import { expect, it } from 'vitest'
import { aboutChange, touchedBy } from './changed.js'

const router = `
const labels = createRoute({ path: 'labels', component: screen(() => import('./screens/LabelsScreen.tsx')) })
const queues = createRoute({ path: '/$orgId/queues', component: screen(() => import('./screens/QueuesScreen.tsx')) })
`
const sources = new Map(
  Object.entries({
    'contract/labels.ts': '',
    'contract/labels.test.ts': "import { labels } from './labels.ts'",
    'server/labels/rename.ts': "import { labels } from '#contract/labels.ts'",
    'server/labels/labels.test.ts': "import { startApp } from '../testing/startApp.ts'",
    'server/testing/startApp.ts': "import { compose } from '../compose.ts'",
    'server/compose.ts': "import { rename } from './labels/rename.ts'",
    'server/queues/queues.test.ts': "import { startApp } from '../testing/startApp.ts'",
    'server/bluesky/labels.pds.test.ts': "import { rename } from '../labels/rename.ts'",
    'web/app/router.tsx': router,
    'web/app/screens/LabelsScreen.tsx': "import { Labels } from '#web/features/labels/Labels.tsx'",
    'web/app/screens/QueuesScreen.tsx': '',
    'web/features/labels/Labels.tsx': '',
    'e2e/journeys/lists.ts': `
test('labels: make one (and rename it)', async () => { await page.goto(person.at('labels')) })
test('queues: make one', async () => { await page.goto(person.at('queues')) })
`,
  }),
)

it('begins by saying that the files are tested as they are, not as they were committed', () => {
  expect(aboutChange('HEAD', 12)).toBe('This tests the working tree: 12 files that differ from HEAD, committed or not.')
  expect(aboutChange('main', 1)).toBe('This tests the working tree: one file that differs from main, committed or not.')
})

it('names the tests beside a changed file and those that import it, nearest first', () => {
  const { tests } = touchedBy(['server/labels/rename.ts'], sources)
  expect(tests).toEqual({
    bluesky: ['server/bluesky/labels.pds.test.ts'],
    api: ['server/labels/labels.test.ts', 'server/queues/queues.test.ts'],
  })
})

it('checks types and lint of the changed files and of what imports them', () => {
  const { checked } = touchedBy(['contract/labels.ts'], sources)
  expect(checked).toEqual({
    format: ['contract/labels.ts'],
    lint: ['contract/labels.ts', 'contract/labels.test.ts', 'server/labels/rename.ts'],
  })
})

it('names the journeys that open the screens of a changed component, as patterns', () => {
  expect(touchedBy(['web/features/labels/Labels.tsx'], sources).journeys).toEqual([
    'labels: make one \\(and rename it\\)',
  ])
  expect(touchedBy(['web/app/screens/QueuesScreen.tsx'], sources).journeys).toEqual(['queues: make one'])
})

it("names the journeys of the screen that a changed room of the server serves, and a changed file's own", () => {
  expect(touchedBy(['server/labels/rename.ts'], sources).journeys).toEqual(['labels: make one \\(and rename it\\)'])
  expect(touchedBy(['e2e/journeys/lists.ts'], sources).journeys).toHaveLength(2)
})

it('stops after about a hundred seconds of tests and says how many it leaves out', () => {
  const many = Array.from({ length: 150 }, (_, i) => [`server/many/t${i}.test.ts`, "import '../labels/rename.ts'"])
  const { tests, left } = touchedBy(['server/labels/rename.ts'], new Map([...sources, ...many]))
  expect(tests.api).toHaveLength(99)
  expect(left).toContain('53 more files of tests reach them through other files.')
})

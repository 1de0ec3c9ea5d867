import { describe, expect, it } from 'vitest'
import { breachesIn, circleBreaches } from './import-rules.js'

const imports = (path, target) => breachesIn(path, `import { x } from '${target}'\n`)

describe('import rules', () => {
  it.each([
    ['contract/posts.ts', '#server/db/kysely.ts', 'only zod'],
    ['contract/posts.ts', 'node:fs', 'only zod'],
    ['contract/posts.ts', '#charts/line.ts', 'only zod'],
    ['charts/line.ts', '#web/lib/dates.ts', 'charts import only the contract'],
    ['charts/line.ts', '#server/env.ts', 'charts import only the contract'],
    ['charts/line.ts', 'react', 'charts import only the contract'],
    ['web/lib/client.ts', '#server/env.ts', 'of the server'],
    ['web/features/posts/List.tsx', '../channels/Row.tsx', 'feature posts imports the feature channels'],
    ['web/ui/Button.tsx', '#web/features/posts/List.tsx', 'imports go'],
    ['server/http/route.ts', '#server/posts/publish.ts', 'knows no noun'],
    ['server/db/pools.ts', '../organizations/create.ts', 'knows no noun'],
    ['server/posts/publish.ts', '#server/channels/queries.ts', 'belongs to channels alone'],
    ['server/posts/publish.ts', '#server/platforms/bluesky/client.ts', 'only server/platforms/registry.ts'],
    ['server/platforms/bluesky/client.ts', '#server/db/pools.ts', 'what several platforms speak'],
    ['server/platforms/bluesky/client.ts', '../mastodon/client.ts', 'what several platforms speak'],
    ['server/posts/publish.ts', '#server/testing/until.ts', 'for tests'],
    ['server/main.ts', '#web/app/main.tsx', 'of the web'],
    ['server/channels/pages.ts', '#server/simulators/start.ts', 'for development'],
  ])('refuses %s importing %s', (path, target, why) => {
    expect(imports(path, target)).toEqual([expect.stringContaining(`${path}:1 `)])
    expect(imports(path, target)[0]).toContain(why)
  })

  it.each([
    ['contract/posts.ts', 'zod'],
    ['contract/posts.ts', './common.ts'],
    ['charts/line.ts', 'd3-scale'],
    ['charts/line.ts', '#contract/format.ts'],
    ['web/ui/charts/Drawn.tsx', '#charts/line.ts'],
    ['server/posts/publish.ts', '#charts/line.ts'],
    ['web/app/Calendar.tsx', '#web/features/posts/List.tsx'],
    ['web/features/posts/List.tsx', '#web/ui/Button.tsx'],
    ['server/app.ts', './posts/routes.ts'],
    ['server/posts/publish.ts', '#server/access/channels.ts'],
    ['server/posts/routes.ts', './queries.ts'],
    ['server/platforms/registry.ts', './bluesky/adapter.ts'],
    ['server/platforms/bluesky/client.ts', '../platform.ts'],
    ['server/platforms/bluesky/client.ts', '#server/platforms/safeFetch.ts'],
    ['server/posts/publish.test.ts', '#server/testing/until.ts'],
    ['server/product.ts', './simulators/development.ts'],
  ])('allows %s importing %s', (path, target) => {
    expect(imports(path, target)).toEqual([])
  })

  it("finds now and the environment where they don't belong, and not in comments", () => {
    const source =
      '// new Date() is wrong here\nconst a = process.env.PORT\nconst b = Date.now()\nconst c = new Date(0)\n/* Temporal.Now */\n'
    expect(breachesIn('server/posts/publish.ts', source)).toEqual([
      'server/posts/publish.ts:2 process.env is read in server/env.ts only',
      'server/posts/publish.ts:3 "now" comes from server/clock.ts only',
    ])
    expect(breachesIn('server/clock.ts', 'Date.now()')).toEqual([])
  })

  it('finds a fence that is raised outside of the delivery engine', () => {
    for (const source of ['set fence = d.fence + 1', "fence: eb('fence', '+', 1)", 'fence: boost.fence + 1']) {
      expect(breachesIn('server/posts/publish.ts', source)).toHaveLength(1)
      expect(breachesIn('server/delivery/overrule.ts', source)).toEqual([])
    }
    expect(breachesIn('server/posts/publish.ts', 'where fence = 3')).toEqual([])
  })
})

describe('circles', () => {
  const breaches = (files) =>
    circleBreaches(
      new Map(Object.entries(files).map(([path, target]) => [path, target && `import type { x } from '${target}'\n`])),
    )

  it('refuses files that import each other, even for types alone', () => {
    expect(breaches({ 'web/ui/a.ts': './b.ts', 'web/ui/b.ts': './c.ts', 'web/ui/c.ts': './a.ts' })).toEqual([
      'a circle of imports: web/ui/a.ts → web/ui/b.ts → web/ui/c.ts → web/ui/a.ts',
    ])
    expect(breaches({ 'web/ui/a.ts': './b.ts', 'web/ui/b.ts': './c.ts', 'web/ui/c.ts': 'zod' })).toEqual([])
  })

  const pair = {
    'server/labels/tag.ts': '../posts/access.ts',
    'server/posts/access.ts': '',
    'server/posts/bulk.ts': '../labels/name.ts',
  }

  it('refuses folders of the server that import each other, even for types alone', () => {
    expect(breaches(pair)).toEqual([
      'a circle of folders: labels → posts → labels (server/labels/tag.ts imports server/posts/access.ts, server/posts/bulk.ts imports server/labels/name.ts)',
    ])
  })

  it('refuses a circle of more than two folders', () => {
    expect(
      breaches({ ...pair, 'server/posts/bulk.ts': '../media/fit.ts', 'server/media/fit.ts': '../labels/name.ts' }),
    ).toEqual([expect.stringMatching(/^a circle of folders: labels → posts → media → labels /)])
  })

  it('ignores tests', () => {
    expect(breaches({ ...pair, 'server/posts/bulk.ts': '', 'server/posts/b.test.ts': '../labels/name.ts' })).toEqual([])
  })
})

import type { Page, Response } from '@playwright/test'
import { figuresOn } from '../server/testing/figures.ts'
import { idle, inBrowser, openProject, type Filling, type OnStage } from './_browserStage.ts'
import { median } from './_stage.ts'

/*
 * The insights hub in headless Chromium with the CPU slowed down four times: from the click on Insights, in a dashboard that's open,
 * until the first figure is on screen; and the JavaScript that this still loads, in bytes on the wire. 20 channels with 90 days of figures
 * and 400 posts with three readings each. Needs the built web app (npm start builds it). Wall time: run it while nothing else runs.
 */
const LIMITS = { figures: 500, script: 150_000 }
const SLOWDOWN = 4
const [CHANNELS, DAYS, POSTS] = [20, 90, 400]
const TURNS = 7
const DAY_MS = 86_400_000
const platforms = ['facebook', 'instagram', 'linkedin', 'threads', 'bluesky'] as const

await inBrowser<void>(fill, async (at) => {
  const seen: number[] = []
  let bytes = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const visit = await openHub(at)
    seen.push(visit.milliseconds)
    bytes = visit.bytes
  }
  const middle = median(seen)
  console.log(
    `hub: first figure after ${middle.toFixed(0)} ms at ${SLOWDOWN}x (${seen.map((one) => one.toFixed(0)).join(', ')}), under ${LIMITS.figures}`,
  )
  console.log(`hub: ${(bytes / 1000).toFixed(0)} kB of JavaScript as sent, under ${LIMITS.script / 1000}`)
  if (middle >= LIMITS.figures || bytes >= LIMITS.script) process.exitCode = 1
})

/** Opens the hub from the dashboard, in a browser that hasn't seen it. */
async function openHub(at: OnStage): Promise<{ milliseconds: number; bytes: number }> {
  const { context, page } = await openProject(at, 'dashboard')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Insights' })
  await link.waitFor()
  // what the app keeps and loads ahead has arrived, as when someone looked at the dashboard first
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await atRest(page)
  await idle(page)
  const scripts = countScripts(page)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const milliseconds = await link.evaluate(
    (anchor) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const look = () => {
          // the value of a card
          if (document.querySelector('main ul li .text-2xl') === null) return
          observer.disconnect()
          // painted: a frame's callbacks come before its painting, timers after it
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { childList: true, subtree: true })
        if (anchor instanceof HTMLElement) anchor.click()
      }),
  )
  await idle(page)
  const bytes = await scripts()
  await context.close()
  return { milliseconds, bytes }
}

/** Waits until the page has loaded nothing for half a second. */
async function atRest(page: Page): Promise<void> {
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  for (let before = -1, now = await loaded(); now > before;) {
    await page.waitForTimeout(500)
    ;[before, now] = [now, await loaded()]
  }
}

/** Sums up the scripts that the page loads until the result is requested, in bytes on the wire. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  const count = (response: Response) => {
    if (response.request().resourceType() !== 'script') return
    // below 0 for what the service worker had kept
    const size = response.request().sizes()
    sizes.push(size.then(({ responseBodySize }) => Math.max(0, responseBodySize)))
  }
  page.on('response', count)
  return async () => {
    // what comes later isn't waited for, and the page is closed meanwhile
    page.off('response', count)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
}

async function fill({ home, owner, content }: Filling): Promise<void> {
  const figures = figuresOn({ owner })
  const now = Date.now()
  const at = (daysAgo: number, hour: number) => new Date(now - daysAgo * DAY_MS + hour * 3_600_000).toISOString()
  const channels: string[] = []
  for (let c = 0; c < CHANNELS; c += 1)
    channels.push(
      await content.channel(home, { platform: platforms[c % platforms.length] ?? 'facebook', handle: `@c${c}` }),
    )
  for (const [c, channelId] of channels.entries())
    for (let daysAgo = DAYS; daysAgo >= 1; daysAgo -= 1)
      await figures.channelDay(
        channelId,
        at(daysAgo, 0).slice(0, 10),
        { followers: 1000 + c * 50 + DAYS - daysAgo, followersGained: 3, views: 400 + c, reactions: 20, comments: 2 },
        at(0, -1),
      )
  for (let p = 0; p < POSTS; p += 1) {
    const daysAgo = 1 + (p % (DAYS - 1))
    const postId = await figures.published(home, channels[p % CHANNELS] ?? '', at(daysAgo, 0))
    for (const [i, hours] of [1, 6, 23].entries())
      await figures.reading(postId, at(daysAgo, hours), { views: 100 * (i + 1), reactions: 5 * (i + 1), comments: i })
  }
}

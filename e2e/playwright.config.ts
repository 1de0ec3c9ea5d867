import { defineConfig } from '@playwright/test'
import { chromiumOptions, PATIENCE } from './browser.ts'

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.ts',
  outputDir: '../.cache/failures',
  globalSetup: './allVisited.ts',
  reporter: 'list',
  forbidOnly: true,
  // journeys mostly wait: two at a time suit a machine with two cores, see `turn` in harness.ts
  fullyParallel: true,
  workers: 2,
  // a machine that stalls for a moment breaks a few journeys, which pass when they run again, alone
  retries: 1,
  retryStrategy: 'isolated',
  maxFailures: 10,
  timeout: 300_000,
  expect: { timeout: PATIENCE },
  use: {
    launchOptions: chromiumOptions(),
    // recording costs time, so only a failed journey is recorded, when it runs again
    trace: 'on-first-retry',
  },
})

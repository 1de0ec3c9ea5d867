import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './browser.ts'

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.ts',
  outputDir: '../.cache/failures',
  reporter: 'list',
  forbidOnly: true,
  // journeys mostly wait: two at a time use a machine of two cores
  fullyParallel: true,
  workers: 2,
  // a machine that stands still for a moment spoils a few journeys, which pass when they are played once more, alone
  retries: 1,
  retryStrategy: 'isolated',
  maxFailures: 10,
  timeout: 300_000,
  use: {
    launchOptions: chromiumOptions(),
    // recording costs time, so only what failed is recorded, when it's played again
    trace: 'on-first-retry',
  },
})

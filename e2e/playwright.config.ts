import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** The one that `npm test` has found or installed; by hand, one of Debian's. */
const shell = '/usr/bin/chromium-headless-shell'
export const chromiumPath = process.env.CHROMIUM_PATH ?? (existsSync(shell) ? shell : '/usr/bin/chromium')

/** They start from an empty installation. */
const fromNothing = ['from-nothing.spec.ts', 'laboratory.spec.ts']

export default defineConfig({
  testDir: './journeys',
  // Two cores: the product, its database and a browser share them.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Ends what hangs. Beside other work, looking at 15 screens at each width took more than three minutes.
  timeout: 300_000,
  // Some pages read again what changes only every ten seconds.
  expect: { timeout: 30_000 },
  outputDir: '../test-results/e2e',
  reporter: 'list',
  projects: [
    { name: 'demo data', testMatch: 'demo.setup.ts', teardown: 'end of the demo data' },
    { name: 'end of the demo data', testMatch: 'demo.teardown.ts' },
    // Beside the making of the demo data, which keeps one core busy for 20 s.
    { name: 'from nothing', testMatch: fromNothing },
    { name: 'journeys', testIgnore: fromNothing, dependencies: ['demo data'] },
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    viewport: { width: 1440, height: 900 },
    // Keeping a trace in case of a failure takes a tenth of the time of all journeys; `--trace=retain-on-failure` keeps one by hand.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath,
      // Without an encoding Chromium calls a file whose name is not plain ASCII `download`.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Optimised code takes more time to compile than a journey saves by it (--no-opt, --no-maglev). With room for young
        // objects, one thread collects them in less time than several. Both together save a tenth of the renderers'
        // processor time.
        '--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=32 --max-semi-space-size=64',
      ],
    },
  },
})

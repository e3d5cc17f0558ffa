import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import type { BenchData } from '../generate/bench-data.ts'
import { repositoryRoot } from '../repository.ts'
import type { Product } from './product.ts'

/**
 * Builds the console if its sources have changed. Call it before a server is started, because a server reads the build
 * once.
 */
export function buildConsole(): void {
  const built = spawnSync(process.execPath, [join(repositoryRoot, 'scripts/prepare.mjs'), '--web'], {
    stdio: 'inherit',
  })
  if (built.status !== 0) throw new Error('The console could not be built.')
}

const shell = '/usr/bin/chromium-headless-shell'

/** Starts a Chromium, for figures that only a browser can give. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (existsSync(shell) ? shell : '/usr/bin/chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

/** A server, and a user of it who sees all customers. */
export interface Viewed {
  product: Pick<Product, 'baseUrl'>
  data: { logins: Pick<BenchData['logins'], 'all'>; password: string }
}

/** Opens a page of 1440 × 900 for a user who sees all customers. */
export async function signedIn(
  browser: Browser,
  { product, data }: Viewed,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: product.baseUrl, viewport: { width: 1440, height: 900 } })
  await context.request.post('/api/auth/sign-in', { data: { userId: data.logins.all, password: data.password } })
  return { context, page: await context.newPage() }
}

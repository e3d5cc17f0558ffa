import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import type { BenchData } from '../generate/bench-data.ts'
import { repositoryRoot } from '../repository.ts'
import { type Product, startProduct, stopProducts, stopProductsOnSignals } from './product.ts'

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

/** Runs work on a product with demo data in a folder of its own, which is deleted afterwards. */
export async function onDemo(work: (viewed: Viewed) => Promise<void>): Promise<void> {
  stopProductsOnSignals()
  buildConsole()
  const dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-demo-'))
  try {
    const product = await startProduct({ dataDir, environment: { DEMO: 'on' } })
    await work({ product, data: { logins: { all: 'support@benchwatch.example' }, password: 'Benchwatch-2026!' } })
  } finally {
    await stopProducts()
    await rm(dataDir, { recursive: true, force: true })
  }
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

import { mkdir, rm } from 'node:fs/promises'
import { test as setup } from '@playwright/test'
import { demoDataDir, startProduct } from '../product.ts'

// Once for all workers: each would need 20 s of both cores for the same data, and again after every failed journey.
setup('the first start makes the demo data', async () => {
  setup.setTimeout(300_000)
  await rm(demoDataDir, { recursive: true, force: true })
  await mkdir(demoDataDir, { recursive: true })
  await (await startProduct({ dataDir: demoDataDir })).stop()
})

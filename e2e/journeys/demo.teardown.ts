import { rm } from 'node:fs/promises'
import { test as teardown } from '@playwright/test'
import { demoDataDir } from '../product.ts'

teardown('the demo data go', async () => {
  await rm(demoDataDir, { recursive: true, force: true })
})

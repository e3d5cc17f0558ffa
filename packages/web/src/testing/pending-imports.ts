import { afterAll, vi } from 'vitest'

// Parts that a screen loads ahead may still be on their way when its last test ends; after the end they could not be loaded.
afterAll(() => vi.dynamicImportSettled())

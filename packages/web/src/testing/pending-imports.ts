import { afterAll, vi } from 'vitest'

// Preloaded parts may still be loading when the last test of a file ends; afterwards they could not be loaded.
afterAll(() => vi.dynamicImportSettled())

import { afterAll } from 'vitest'
import { dropTestDatabases } from './test-database.ts'

/**
 * Set-up file for every test file: test files share the modules of their worker, and a hook that a shared module
 * registers would belong to the first file that imports it.
 */
afterAll(dropTestDatabases)

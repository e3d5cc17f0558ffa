import { afterAll } from 'vitest'
import { dropTestDatabases } from './test-database.ts'

/**
 * Set up for every test file: files share the modules of their worker, and a hook that a shared module registers belongs to
 * the first file that read it.
 */
afterAll(dropTestDatabases)

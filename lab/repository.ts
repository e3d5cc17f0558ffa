import { resolve } from 'node:path'

/** Where the checkout stands whose product is measured and broken. */
export const repositoryRoot = resolve(import.meta.dirname, '..')

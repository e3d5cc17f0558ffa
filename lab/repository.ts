import { join, resolve } from 'node:path'

/** The checkout whose product is measured and broken. */
export const repositoryRoot = resolve(import.meta.dirname, '..')
export const resultsFolder = join(import.meta.dirname, 'results')
export const faultsFolder = join(import.meta.dirname, 'faults')

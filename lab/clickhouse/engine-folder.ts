import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    engineFolder: string
  }
}

let folder: string | undefined

/** vitest calls it once before the first test file: the engine keeps its data in one folder per process. */
export function setup(project: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-clickhouse-'))
  project.provide('engineFolder', folder)
}

/** vitest calls it once at the end, also after failures. */
export function teardown(): void {
  if (folder) rmSync(folder, { recursive: true, force: true })
}

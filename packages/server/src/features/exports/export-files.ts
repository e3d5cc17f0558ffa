import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createDiskFiles } from '../../platform/files/disk-files.ts'
import type { FileStore } from '../../platform/files/file-store.ts'

/** Where the files of exports lie. */
export function createExportFiles({ dataDir }: Pick<Config, 'dataDir'>): FileStore {
  return createDiskFiles(join(dataDir, 'exports'))
}

/** Under which name the file of an export lies. */
export function fileOf(exportId: string): string {
  return `${exportId}.csv`
}

/** The export that a file is of, or a part that a process left of one; undefined where it is no file of ours. */
export function exportOfFile(name: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.csv)/.exec(name)?.[0]
}

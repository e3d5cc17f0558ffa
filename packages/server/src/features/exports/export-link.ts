import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { createDiskFiles, type FileStore } from '../../platform/files/file-store.ts'
import type { Log } from '../../platform/log.ts'
import { newToken, tokenHash } from '../../platform/secret-token.ts'
import { seal, unseal } from '../auth/session/sealed-secret.ts'

/**
 * The link of a file: a token that grants access to it (3-decisions 8). The database finds a file by their
 * hash, and returns the link only to the user who started the export.
 */
export interface ExportLink {
  token: string
  hash: Buffer
  sealed: Buffer
}

const USE = 'export-link'

export async function newExportLink(db: Db): Promise<ExportLink> {
  const token = newToken()
  return { token, hash: tokenHash(token), sealed: await seal(db, { text: token, use: USE }) }
}

export function unsealToken(db: Db, sealed: Buffer): Promise<string> {
  return unseal(db, { sealed, use: USE })
}

/** Relative to the origin. */
export function urlOf(token: string): string {
  return `/api/exports/files/${token}`
}

/** Returns the store of export files. Throws an error for the operator if a bucket is missing or refuses. */
export async function createExportFiles(
  { dataDir, exportBucket }: Pick<Config, 'dataDir' | 'exportBucket'>,
  log: Log,
): Promise<FileStore> {
  if (exportBucket === null) return createDiskFiles(join(dataDir, 'exports'))
  const { createS3Files } = await import('../../platform/files/s3-files.ts')
  return createS3Files(exportBucket, log)
}

/** Name of the file of an export. */
export function fileOf(exportId: string): string {
  return `${exportId}.csv`
}

/**
 * Returns the export that a file belongs to, including partial files that a process left behind; undefined if it is
 * not an export file.
 */
export function exportOfFile(name: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.csv)/.exec(name)?.[0]
}

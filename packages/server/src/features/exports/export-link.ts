import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { seal, unseal } from '../auth/sealed-secret.ts'

/**
 * The link of a file: 256 random bits that are the permission to fetch it (3-decisions 8). The database finds a file by
 * their hash, and tells them again to whoever began the export alone.
 */
export interface ExportLink {
  token: string
  hash: Buffer
  sealed: Buffer
}

const USE = 'export-link'

export async function newExportLink(db: Db): Promise<ExportLink> {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOfToken(token), sealed: await seal(db, { text: token, use: USE }) }
}

export function unsealToken(db: Db, sealed: Buffer): Promise<string> {
  return unseal(db, { sealed, use: USE })
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Relative to the origin. */
export function urlOf(token: string): string {
  return `/api/exports/files/${token}`
}

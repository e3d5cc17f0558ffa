import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readChains, readNeverSealed, readRemovedUnsealed, readSeals } from './audit.queries.ts'
import { createChainCheck, createSealCheck, type Finding } from './chains.ts'

export interface Verification {
  rows: number
  seals: number
  /** Hash of the newest seal. A copy kept elsewhere reveals a log that was truncated and sealed again. */
  lastSeal: string | null
  findings: Finding[]
}

/** Recomputes all chains and seals of the audit log and returns the defects. */
export function verifyAuditLog(db: Db): Promise<Verification> {
  // One snapshot, so that rows written meanwhile look neither unsealed nor removed. A large log takes longer than a
  // request may.
  return inTransaction(db, verify, { isSnapshot: true, statementTimeoutMs: 0 })
}

async function verify(snapshot: Db): Promise<Verification> {
  const findings: Finding[] = []
  const result: Verification = { rows: 0, seals: 0, lastSeal: null, findings }

  const checkRow = createChainCheck()
  for await (const rows of readChains(snapshot)) {
    result.rows += rows.length
    for (const row of rows) findings.push(...checkRow(row))
  }
  const checkSeal = createSealCheck()
  for await (const seals of readSeals(snapshot)) {
    result.seals += seals.length
    result.lastSeal = seals.at(-1)?.hash.toString('hex') ?? result.lastSeal
    for (const seal of seals) findings.push(...checkSeal(seal))
  }
  for (const { id, entity_type, entity_id, entity_seq } of await readNeverSealed(snapshot)) {
    findings.push({ kind: 'never-sealed', entity: `${entity_type} ${entity_id}`, position: entity_seq, rowId: id })
  }
  for (const rowId of await readRemovedUnsealed(snapshot)) findings.push({ kind: 'row-removed', rowId, sealSeq: null })
  return result
}

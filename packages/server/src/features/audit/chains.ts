import { type AuditRowContent, auditHash, FIRST_HASH, sealHash } from '../../db/audit.ts'
import type { Finding } from './findings.ts'

/** A stored row: its content, and the hashes that should follow from it. */
export interface ChainedRow extends AuditRowContent {
  id: number
  previous_hash: Buffer
  hash: Buffer
}

export interface Seal {
  seq: number
  previous_hash: Buffer
  hash: Buffer
  /** Every row that it covers, by id; `hash` of null where the row is gone. */
  rows: readonly { id: number; hash: Buffer | null }[]
}

/** Checks rows one after the other; they must come by entity, then position. */
export function createChainCheck(): (row: ChainedRow) => Finding[] {
  let last: { entity: string; position: number; hash: Buffer } | undefined
  return (row) => {
    const entity = `${row.entity_type} ${row.entity_id}`
    const before = last?.entity === entity ? last : { position: 0, hash: FIRST_HASH }
    const findings: Finding[] = []
    const at = { entity, position: row.entity_seq, rowId: row.id }
    if (row.entity_seq > before.position + 1) {
      // What the missing rows hashed to is unknown, so the link to them can't be checked.
      findings.push({ kind: 'positions-removed', entity, from: before.position + 1, to: row.entity_seq - 1 })
    } else if (row.entity_seq !== before.position + 1 || !row.previous_hash.equals(before.hash)) {
      findings.push({ kind: 'chain-broken', ...at })
    }
    if (!auditHash(row.previous_hash, row).equals(row.hash)) findings.push({ kind: 'content-changed', ...at })
    last = { entity, position: row.entity_seq, hash: row.hash }
    return findings
  }
}

/** Checks seals one after the other, by number. */
export function createSealCheck(): (seal: Seal) => Finding[] {
  let last: Pick<Seal, 'seq' | 'hash'> = { seq: 0, hash: FIRST_HASH }
  return (seal) => {
    const findings: Finding[] = []
    for (let sealSeq = last.seq + 1; sealSeq < seal.seq; sealSeq += 1) findings.push({ kind: 'seal-removed', sealSeq })
    if (seal.seq === last.seq + 1 && !seal.previous_hash.equals(last.hash)) {
      findings.push({ kind: 'seal-chain-broken', sealSeq: seal.seq })
    }
    const present = seal.rows.filter((row): row is { id: number; hash: Buffer } => row.hash !== null)
    if (present.length < seal.rows.length) {
      for (const { id, hash } of seal.rows) {
        if (hash === null) findings.push({ kind: 'row-removed', rowId: id, sealSeq: seal.seq })
      }
    } else if (!sealHash(seal.previous_hash, present).equals(seal.hash)) {
      findings.push({ kind: 'seal-broken', sealSeq: seal.seq })
    }
    last = seal
    return findings
  }
}

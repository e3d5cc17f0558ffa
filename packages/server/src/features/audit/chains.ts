import { type AuditRow, auditHash, FIRST_HASH, sealHash } from '../../db/audit.ts'

/** One defect of the audit log, as precise as the remaining rows allow. */
export type Finding =
  | { kind: 'content-changed' | 'chain-broken' | 'never-sealed'; entity: string; position: number; rowId: number }
  | { kind: 'positions-removed'; entity: string; from: number; to: number }
  | { kind: 'row-removed'; rowId: number; sealSeq: number | null }
  | { kind: 'seal-removed'; sealSeq: number }
  | { kind: 'seal-chain-broken' | 'seal-broken'; sealSeq: number }

export interface Seal {
  seq: number
  previous_hash: Buffer
  hash: Buffer
  /** All covered rows, by ID; `hash` is null for a row that no longer exists. */
  rows: readonly { id: number; hash: Buffer | null }[]
}

/** Creates a check that takes rows one at a time, ordered by entity and position. */
export function createChainCheck(): (row: AuditRow) => Finding[] {
  let last: { entity: string; position: number; hash: Buffer } | undefined
  return (row) => {
    const entity = `${row.entity_type} ${row.entity_id}`
    const before = last?.entity === entity ? last : { position: 0, hash: FIRST_HASH }
    const findings: Finding[] = []
    const at = { entity, position: row.entity_seq, rowId: row.id }
    if (row.entity_seq > before.position + 1) {
      // The hash of the missing rows is unknown, so the link to them cannot be checked.
      findings.push({ kind: 'positions-removed', entity, from: before.position + 1, to: row.entity_seq - 1 })
    } else if (row.entity_seq !== before.position + 1 || !row.previous_hash.equals(before.hash)) {
      findings.push({ kind: 'chain-broken', ...at })
    }
    if (!auditHash(row.previous_hash, row).equals(row.hash)) findings.push({ kind: 'content-changed', ...at })
    last = { entity, position: row.entity_seq, hash: row.hash }
    return findings
  }
}

/** Creates a check that takes seals one at a time, ordered by number. */
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

/** Formats a finding as a sentence for the operator. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'content-changed':
      return `${rowName(finding)}: content changed after it was written.`
    case 'chain-broken':
      return `${rowName(finding)}: chain broken; the row does not continue the previous one.`
    case 'never-sealed':
      return `${rowName(finding)}: never sealed; the row was forged or its seal removed.`
    case 'positions-removed': {
      const { entity, from, to } = finding
      return from === to
        ? `${entity}, position ${from}: row removed.`
        : `${entity}, positions ${from} to ${to}: rows removed.`
    }
    case 'row-removed':
      return finding.sealSeq === null
        ? `Row ${finding.rowId}: row removed before it was sealed.`
        : `Row ${finding.rowId}: row removed; seal ${finding.sealSeq} covers it.`
    case 'seal-removed':
      return `Seal ${finding.sealSeq}: seal removed.`
    case 'seal-chain-broken':
      return `Seal ${finding.sealSeq}: seal broken; it does not continue the previous seal.`
    case 'seal-broken':
      return `Seal ${finding.sealSeq}: seal broken; it does not match the rows it covers.`
  }
}

function rowName({ entity, position, rowId }: { entity: string; position: number; rowId: number }): string {
  return `${entity}, position ${position} (row ${rowId})`
}

/** One thing that is wrong with the record, as precisely as the record itself still tells. */
export type Finding =
  | { kind: 'content-changed' | 'chain-broken' | 'never-sealed'; entity: string; position: number; rowId: number }
  | { kind: 'positions-removed'; entity: string; from: number; to: number }
  | { kind: 'row-removed'; rowId: number; sealSeq: number | null }
  | { kind: 'seal-removed'; sealSeq: number }
  | { kind: 'seal-chain-broken' | 'seal-broken'; sealSeq: number }

/** A finding as a sentence for the operator. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'content-changed':
      return `${rowName(finding)}: content changed after it was written.`
    case 'chain-broken':
      return `${rowName(finding)}: chain broken, it does not follow the row before it.`
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
      return `Seal ${finding.sealSeq}: seal broken, it does not follow the seal before it.`
    case 'seal-broken':
      return `Seal ${finding.sealSeq}: seal broken, it does not fit the rows that it covers.`
  }
}

function rowName({ entity, position, rowId }: { entity: string; position: number; rowId: number }): string {
  return `${entity}, position ${position} (row ${rowId})`
}

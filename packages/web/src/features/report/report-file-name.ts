import { formatInstrumentDate } from '../../lib/dates.ts'

/** Longest part that a description may take: with id and date the name stays below what file systems and mails allow. */
const DESCRIPTION = 80

/**
 * Name of a report's PDF from product description, installed product id and date: ÄKTA-pure-25_10042371_22-Nov-2026.pdf.
 * Letters and digits of every script stay; whatever a file system or a shell might read otherwise becomes a hyphen.
 */
export function reportFileName(of: { description: string; installedProductId: string; madeAt: number }): string {
  const parts = [of.description.slice(0, DESCRIPTION), of.installedProductId, formatInstrumentDate(of.madeAt)]
  return `${parts.map(safe).filter(Boolean).join('_')}.pdf`
}

function safe(part: string): string {
  return part
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}

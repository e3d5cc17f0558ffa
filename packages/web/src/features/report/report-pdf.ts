import type { Report } from './report-model.ts'
export async function writeReportPdf(_report: Report, _country: string | null): Promise<Blob> {
  throw new Error('soon')
}

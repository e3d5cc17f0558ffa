import { useParams, useSearch } from '@tanstack/react-router'
import { SystemReport } from '../features/report/system-report.tsx'

/** /report/{instrumentId}?reportType=fe|qs: a report to read, print or download. The router rejects other types. */
export function ReportScreen() {
  const { instrumentId = '' } = useParams({ strict: false })
  const { reportType }: Record<string, unknown> = useSearch({ strict: false })
  return <SystemReport key={instrumentId} instrumentId={instrumentId} reportType={reportType === 'qs' ? 'qs' : 'fe'} />
}

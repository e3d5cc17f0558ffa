import { useParams, useSearch } from '@tanstack/react-router'
import { SystemReport } from '../features/report/system-report.tsx'

/** /report/{instrumentId}?reportType=fe|qs: to be read, printed or kept as a file. The router knows no other type. */
export function ReportScreen() {
  const { instrumentId = '' } = useParams({ strict: false })
  const { reportType }: Record<string, unknown> = useSearch({ strict: false })
  return <SystemReport key={instrumentId} instrumentId={instrumentId} reportType={reportType === 'qs' ? 'qs' : 'fe'} />
}

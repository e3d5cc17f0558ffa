import { useParams, useSearch } from '@tanstack/react-router'
import { SystemReport } from '../features/report/system-report.tsx'
import { NotFoundScreen } from './not-found.tsx'

/** /report/{instrumentId}?reportType=fe|qs: to be read, printed or kept as a file. Any other type: not found. */
export function ReportScreen() {
  const { instrumentId = '' } = useParams({ strict: false })
  const { reportType }: Record<string, unknown> = useSearch({ strict: false })
  if (reportType !== 'fe' && reportType !== 'qs') return <NotFoundScreen />
  return <SystemReport key={instrumentId} instrumentId={instrumentId} reportType={reportType} />
}

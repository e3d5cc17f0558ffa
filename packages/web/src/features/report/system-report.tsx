import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isNotFound } from '../../lib/not-found.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { buildReport } from './build-report.ts'
import { reportQuery } from './report.api.ts'
import { ReportBar } from './report-bar.tsx'
import type { ReportType } from './report-model.ts'
import { ReportSheet } from './report-sheet.tsx'
import styles from './system-report.module.css'

const FAILURE = 'Could not get instrument report data'

/** The System Report of an instrument; fe: for field engineers, qs: for qualification services. */
export function SystemReport({ instrumentId, reportType }: { instrumentId: string; reportType: ReportType }) {
  const query = useQuery(reportQuery({ instrumentId, reportType }))
  const { data: source, error } = query
  const report = useMemo(() => source && buildReport(source), [source])
  useFailureToast({ ...query, isError: query.isError && !isNotFound(error) }, FAILURE)

  return (
    <div className={styles.page}>
      <ReportBar instrumentId={instrumentId} reportType={reportType} made={source && report && { source, report }} />
      {report !== undefined ? (
        <ReportSheet report={report} />
      ) : error === null ? (
        <SheetSkeleton />
      ) : isNotFound(error) ? (
        <ErrorState title="Instrument could not be found.">
          It may belong to a customer that you can’t see. Check the address.
        </ErrorState>
      ) : (
        <ErrorState title={FAILURE} onRetry={() => void query.refetch()}>
          {error.message}
        </ErrorState>
      )}
    </div>
  )
}

const lines = ['34%', '58%', '0', '22%', '92%', '88%', '90%', '0', '26%', '94%', '86%', '90%', '91%', '0', '30%', '92%']

function SheetSkeleton() {
  return (
    <div className={styles.skeleton}>
      <span className={styles.loading} role="status">
        Loading report…
      </span>
      {lines.map((width, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing ever moves.
        <SkeletonLine key={place} width={width} />
      ))}
    </div>
  )
}

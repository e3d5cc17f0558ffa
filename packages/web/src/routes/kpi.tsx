import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { kpiDashboardsQuery } from '../features/kpi/kpi.api.ts'
import { KpiPage } from '../features/kpi/kpi-page.tsx'
import { type KpiQuestion, readKpiQuestion, writeKpiQuestion } from '../features/kpi/kpi-question.ts'
import { ErrorState } from '../ui/text/notice.tsx'
import { ForbiddenScreen } from './forbidden.tsx'

/** /kpi: for whom the server has a dashboard; `?dashboard=` names one, and the rest is what it is asked. */
export function KpiScreen() {
  const navigate = useNavigate()
  const search: { dashboard?: string; days?: string; from?: string; to?: string; customers?: string } = useSearch({
    strict: false,
  })
  const { dashboard, days, from, to, customers } = search
  const question = useMemo(() => readKpiQuestion({ days, from, to, customers }), [days, from, to, customers])
  // In the place of the entry before: each choice would be a step of the browser's history.
  const handleQuestion = useCallback(
    (asked: KpiQuestion) => {
      const written = { ...(dashboard !== undefined && { dashboard }), ...writeKpiQuestion(asked) }
      void navigate({ to: '/kpi', search: written, replace: true })
    },
    [navigate, dashboard],
  )
  const dashboards = useQuery(kpiDashboardsQuery())

  if (dashboards.data === undefined) {
    if (dashboards.isPending) return null
    return (
      <ErrorState title="The key figures could not be loaded" onRetry={() => void dashboards.refetch()}>
        {dashboards.error.message}
      </ErrorState>
    )
  }
  const [first, ...others] = dashboards.data
  if (first === undefined) return <ForbiddenScreen reason="role" />
  return <KpiPage dashboards={[first, ...others]} chosen={dashboard} question={question} onQuestion={handleQuestion} />
}

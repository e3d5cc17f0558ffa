import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import { readEventSearch, writeEventSearch } from '../features/events/events.search.ts'
import { kpiDashboardsQuery } from '../features/kpi/kpi.api.ts'
import { KpiPage } from '../features/kpi/kpi-page.tsx'
import { type KpiQuestion, readKpiQuestion, USUAL_SPAN, writeKpiQuestion } from '../features/kpi/kpi-question.ts'
import { showNotice } from '../ui/overlay/toasts.ts'
import { EmptyState, FailedQuery } from '../ui/text/notice.tsx'
import { ForbiddenScreen } from './forbidden.tsx'

/** /kpi: for users for whom the server has a dashboard; `?dashboard=` names one, the other parameters its selection. */
export function KpiScreen() {
  const navigate = useNavigate()
  const search: { dashboard?: string; days?: string; from?: string; to?: string; customers?: string } = useSearch({
    strict: false,
  })
  const { dashboard, days, from, to, customers } = search
  const question = useMemo(() => readKpiQuestion({ days, from, to, customers }), [days, from, to, customers])
  // Replaces the history entry, so that Back does not undo each choice.
  const handleQuestion = useCallback(
    (next: KpiQuestion) => {
      const written = { ...(dashboard !== undefined && { dashboard }), ...writeKpiQuestion(next) }
      void navigate({ to: '/kpi', search: written, replace: true })
    },
    [navigate, dashboard],
  )
  // Read like any address: the frame is trusted no more than a link. Filters that the user has saved stay as they are.
  const handleEvents = useCallback(
    (address: Record<string, string>) => {
      const events = { ...readEventSearch(address), temporaryFilters: true }
      void navigate({ to: '/events', search: writeEventSearch(events) })
    },
    [navigate],
  )
  const dashboards = useQuery(kpiDashboardsQuery())
  // An address with invalid parts is replaced by the one of what is shown.
  const written = writeKpiQuestion(question)
  const isWrong =
    (days !== undefined && days !== (written.days ?? `${USUAL_SPAN}`)) ||
    from !== written.from ||
    to !== written.to ||
    customers !== written.customers
  const correct = useEffectEvent(() => {
    if (days === undefined && 'days' in question.range && (from !== undefined || to !== undefined))
      showNotice({
        title: 'The date range in the address can’t be used',
        message: `It ends before it starts, is too long or can’t be read. The last ${USUAL_SPAN} days are shown instead.`,
      })
    handleQuestion(question)
  })
  useEffect(() => {
    if (isWrong) correct()
  }, [isWrong])

  if (dashboards.data === undefined) {
    if (dashboards.isPending) return <EmptyState title="Loading key figures…" />
    return <FailedQuery title="The key figures could not be loaded" query={dashboards} />
  }
  const [first, ...others] = dashboards.data
  if (first === undefined) return <ForbiddenScreen reason="role" />
  return (
    <KpiPage
      dashboards={[first, ...others]}
      chosen={dashboard}
      question={question}
      onQuestion={handleQuestion}
      onEvents={handleEvents}
    />
  )
}

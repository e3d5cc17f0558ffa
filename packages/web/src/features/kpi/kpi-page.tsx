import { Link } from '@tanstack/react-router'
import { FramedPage, PageHeader } from '../../ui/layout/page-frame.tsx'
import { PartLinks } from '../../ui/layout/part-links.tsx'
import { KpiFrame } from './kpi-frame.tsx'
import type { KpiQuestion } from './kpi-question.ts'

interface Dashboard {
  id: string
  name: string
}

/** The dashboards that the person may see, one of them in its frame: document 2 section 2 "KPI". */
export function KpiPage(props: {
  /** One at least. */
  dashboards: readonly [Dashboard, ...Dashboard[]]
  /** Which one the address names, if it does. */
  chosen: string | undefined
  question: KpiQuestion
  onQuestion: (question: KpiQuestion) => void
}) {
  const { dashboards, chosen } = props
  const [first] = dashboards
  const dashboard = dashboards.find(({ id }) => id === chosen) ?? first
  return (
    <FramedPage>
      <PageHeader title="KPI" />
      {dashboards.length > 1 && (
        <PartLinks label="Dashboards">
          {dashboards.map(({ id, name }) => (
            <Link
              key={id}
              to="/kpi"
              search={id === first.id ? {} : { dashboard: id }}
              // The router would take the path for all there is to a place.
              activeProps={{ 'aria-current': undefined }}
              aria-current={id === dashboard.id ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </PartLinks>
      )}
      <KpiFrame key={dashboard.id} dashboard={dashboard} question={props.question} onQuestion={props.onQuestion} />
    </FramedPage>
  )
}

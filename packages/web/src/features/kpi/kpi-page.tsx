import { Link } from '@tanstack/react-router'
import { FramedPage, PageHeader, PartLinks } from '../../ui/layout/page-frame.tsx'
import { KpiFrame } from './kpi-frame.tsx'
import type { KpiQuestion } from './kpi-question.ts'

interface Dashboard {
  id: string
  name: string
}

/** Shows the dashboards that the user may see, one at a time in a frame: document 2 section 2 "KPI". */
export function KpiPage(props: {
  /** At least one. */
  dashboards: readonly [Dashboard, ...Dashboard[]]
  /** The dashboard in the address, if any. */
  chosen: string | undefined
  question: KpiQuestion
  onQuestion: (question: KpiQuestion) => void
  onEvents: (search: Record<string, string>) => void
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
              // The router compares paths alone and would mark every link as current.
              activeProps={{ 'aria-current': undefined }}
              aria-current={id === dashboard.id ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </PartLinks>
      )}
      <KpiFrame
        key={dashboard.id}
        dashboard={dashboard}
        question={props.question}
        onQuestion={props.onQuestion}
        onEvents={props.onEvents}
      />
    </FramedPage>
  )
}

import { Stack } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { PlannedMaintenanceList } from '../features/instruments/planned-maintenance.tsx'
import { readListSearch, writeListSearch } from '../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../ui/layout/page-frame.tsx'

/** /maintenance */
export function PlannedMaintenanceScreen() {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <Stack gap={14}>
      <PageHeader
        crumbs={<Breadcrumb link={<Link to="/instruments">Instruments</Link>} current="Planned maintenance" />}
        title="Planned maintenance"
        note="What is on now and what comes next. Of a recurring maintenance, the active or next window is shown."
      />
      <PlannedMaintenanceList
        search={search}
        onSearch={(next) => void navigate({ to: '/maintenance', search: writeListSearch(next) })}
      />
    </Stack>
  )
}

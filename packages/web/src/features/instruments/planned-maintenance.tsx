import type { PlannedMaintenance } from '@benchwatch/contract/instruments/instruments'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { cityAndCountry } from '../../lib/address.ts'
import type { ListSearch } from '../../lib/list/list-address.ts'
import { formatInstrumentDate, formatInstrumentEnd, formatInstrumentTime } from '../../lib/time/dates.ts'
import { age } from '../../lib/time/duration.ts'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { Dash, TwoLines } from '../../ui/text/fact.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import { hasStarted, maintenanceBorders } from '../maintenance/current-maintenance.ts'
import { recurrenceLabel } from '../maintenance/maintenance-labels.ts'
import { MaintenanceMark } from '../maintenance/maintenance-mark.tsx'
import { instrumentQuery, plannedMaintenanceQuery, putMaintenances } from './instruments.api.ts'

const loadDialog = () => import('../maintenance/maintenance-dialog.tsx')
const MaintenanceDialog = lazy(() => loadDialog().then((file) => ({ default: file.MaintenanceDialog })))

/** The active and planned maintenance of all instruments, by start; each can be changed or ended here. */
export function PlannedMaintenanceList(props: { search: ListSearch; onSearch: (search: ListSearch) => void }) {
  const { search, onSearch } = props
  const list = useQuery(plannedMaintenanceQuery(search))
  const now = useNow(maintenanceBorders(list.data?.values.map(({ maintenance }) => maintenance) ?? []))
  const [changed, setChanged] = useState<PlannedMaintenance | null>(null)
  return (
    <>
      <ListFrame
        searchLabel="Search maintenance"
        keywordLength={limits.keyword}
        search={search}
        onSearch={onSearch}
        label="Planned maintenance"
        columns={columnsFor(now, setChanged)}
        rowKey={({ maintenance }) => maintenance.id}
        answer={list}
        failureTitle="Could not get maintenance"
        empty={
          search.keyword === '' ? (
            <EmptyState title="No maintenance planned">
              To plan some, press the ORC status of an instrument in the list of instruments.
            </EmptyState>
          ) : (
            <EmptyState title="No maintenance found">
              No instrument with maintenance has “{search.keyword}” in its name, installed product ID, customer or
              place.
            </EmptyState>
          )
        }
      />
      {changed !== null && (
        <LazyPart onFailure={() => setChanged(null)}>
          <ChangeMaintenance planned={changed} onClose={() => setChanged(null)} />
        </LazyPart>
      )}
    </>
  )
}

/** The dialog follows the instrument, whose other maintenance may be on another page. */
function ChangeMaintenance({ planned, onClose }: { planned: PlannedMaintenance; onClose: () => void }) {
  const { maintenance, instrument } = planned
  const client = useQueryClient()
  const current = useQuery(instrumentQuery(instrument.id)).data ?? instrument
  return (
    <MaintenanceDialog
      instrument={current}
      maintenanceId={maintenance.id}
      onChanged={(maintenances) => putMaintenances(client, instrument.id, maintenances)}
      onClose={onClose}
    />
  )
}

const columnsFor = (now: number, onChange: (one: PlannedMaintenance) => void): Column<PlannedMaintenance>[] => [
  {
    key: 'instrument',
    label: 'Instrument',
    grow: 1.5,
    cell: ({ instrument: { id, instrumentDefinedSystemName, instrumentInstalledProductId, ...instrument } }) => (
      <TwoLines
        second={
          <>
            <bdi>{instrument.instrumentProductDescription}</bdi> ·{' '}
            <span style={{ whiteSpace: 'nowrap' }}>{instrumentInstalledProductId}</span>
          </>
        }
      >
        <Link to="/instruments/$instrumentId" params={{ instrumentId: id }}>
          <bdi>{instrumentDefinedSystemName ?? instrumentInstalledProductId}</bdi>
        </Link>
      </TwoLines>
    ),
  },
  {
    key: 'customer',
    label: 'Customer',
    width: 104,
    grow: 1.3,
    cell: ({ instrument: { instrumentCustomer, instrumentCity, instrumentCountry } }) => (
      <TwoLines second={cityAndCountry(instrumentCity, instrumentCountry)}>
        <bdi>{instrumentCustomer}</bdi>
      </TwoLines>
    ),
  },
  {
    key: 'state',
    label: 'State',
    width: 100,
    cell: ({ maintenance }) => (
      <Group gap={6} wrap="nowrap">
        <MaintenanceMark maintenances={[maintenance]} now={now} />
        {stateOf(maintenance, now)}
      </Group>
    ),
  },
  {
    key: 'from',
    label: 'From',
    width: 84,
    grow: 0.8,
    cell: ({ maintenance: { start }, instrument }) => (
      <ZonedTime at={start} siteZone={instrument.instrumentTimeZone}>
        {formatInstrumentTime(start)}
      </ZonedTime>
    ),
  },
  {
    key: 'until',
    label: 'Until',
    width: 84,
    grow: 0.8,
    cell: ({ maintenance: { end }, instrument }) =>
      end === null ? (
        'turned off'
      ) : (
        <ZonedTime at={end} siteZone={instrument.instrumentTimeZone}>
          {formatInstrumentEnd(end)}
        </ZonedTime>
      ),
  },
  {
    key: 'repeats',
    label: 'Repeats, reason',
    grow: 1.6,
    cell: ({ maintenance }) => (
      <TwoLines second={maintenance.reason !== null && <bdi>{maintenance.reason}</bdi>}>
        {recurrenceLabel(maintenance) ?? 'Once'}
      </TwoLines>
    ),
  },
  {
    key: 'plannedBy',
    label: 'Planned by',
    width: 88,
    grow: 0.6,
    cell: ({ plannedBy, plannedAt, instrument }) => (
      <TwoLines
        second={
          <ZonedTime at={plannedAt} siteZone={instrument.instrumentTimeZone}>
            {formatInstrumentDate(plannedAt)}
          </ZonedTime>
        }
      >
        {plannedBy === null ? <Dash /> : <bdi>{plannedBy}</bdi>}
      </TwoLines>
    ),
  },
  {
    key: 'action',
    label: 'Action',
    width: 92,
    cell: (planned) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Change maintenance of ${planned.instrument.instrumentInstalledProductId}`}
        onPointerEnter={() => void loadDialog()}
        onClick={() => onChange(planned)}
      >
        Change…
      </Button>
    ),
  },
]

/** Returns e.g. 'On for 2 h' or 'In 3 days'. A window that has just ended is gone with the next answer. */
export function stateOf({ start, end }: PlannedMaintenance['maintenance'], now: number): string {
  if (end !== null && Date.parse(end) <= now) return 'Over'
  if (!hasStarted({ start }, now)) {
    const left = age(new Date(now).toISOString(), Date.parse(start))
    return left === 'Now' ? 'In less than a minute' : `In ${left}`
  }
  const lasted = age(start, now)
  return lasted === 'Now' ? 'On now' : `On for ${lasted}`
}

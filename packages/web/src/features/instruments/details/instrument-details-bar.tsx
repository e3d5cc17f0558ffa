import type { InstrumentWithEvents } from '@benchwatch/contract/instruments/instruments'
import { Button, Menu } from '@mantine/core'
import { IconAlertTriangle, IconFileText, IconListDetails } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { BarActions, BarFact, BarFacts, DetailsBar } from '../../../ui/layout/details-page.tsx'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Dash, Named } from '../../../ui/text/fact.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { OrcStatusMenu } from '../../maintenance/orc-status-menu.tsx'
import { InstrumentValue } from '../instrument-value.ts'
import { putMaintenances } from '../instruments.api.ts'
import { instrumentEventsSearch } from './instrument-events-address.ts'

const reports = [
  { type: 'fe', name: 'Field Engineer (FE)' },
  { type: 'qs', name: 'Qualification Services (QS)' },
] as const

/** The header of an instrument page: short info, ORC status as a control, and actions. */
export function InstrumentDetailsBar({ instrument, more }: { instrument: InstrumentWithEvents; more?: ReactNode }) {
  const client = useQueryClient()
  const { id, instrumentInstalledProductId, instrumentCity, instrumentCountry, connectedAt, eventCount } = instrument
  return (
    <DetailsBar label="Short info">
      <BarActions>
        <OrcStatusMenu
          instrument={instrument}
          onChanged={(maintenances) => putMaintenances(client, id, maintenances)}
        />
      </BarActions>
      <BarFacts>
        <BarFact name="System name">
          <Named>{instrument.instrumentDefinedSystemName}</Named>
        </BarFact>
        <BarFact name="Installed product ID">
          {instrumentInstalledProductId}{' '}
          <CopyButton text={instrumentInstalledProductId} label="Copy installed product ID" />
        </BarFact>
        <BarFact name="Location">
          <InstrumentValue category="instrumentCity" value={instrumentCity}>
            <Named>{cityAndCountry(instrumentCity, instrumentCountry)}</Named>
          </InstrumentValue>
        </BarFact>
        <BarFact name="Customer">
          <InstrumentValue category="instrumentCustomer" value={instrument.instrumentCustomer} />
        </BarFact>
        <BarFact name="Added to ORC">
          {connectedAt === null ? (
            <Dash />
          ) : (
            <ZonedTime at={connectedAt} siteZone={instrument.instrumentTimeZone}>
              {formatInstrumentDate(connectedAt)}
            </ZonedTime>
          )}
        </BarFact>
      </BarFacts>
      <BarActions>
        <LinkButton
          variant="default"
          to="/events"
          search={instrumentEventsSearch(instrument)}
          leftSection={<IconAlertTriangle size={15} stroke={1.7} aria-hidden="true" />}
        >
          Events ({eventCount.toLocaleString('en')})
        </LinkButton>
        <LinkButton
          variant="default"
          to="/logs/$installedProductId"
          params={{ installedProductId: instrumentInstalledProductId }}
          leftSection={<IconListDetails size={15} stroke={1.7} aria-hidden="true" />}
        >
          View Logs
        </LinkButton>
        <ReportMenu instrumentId={id} />
        {more}
      </BarActions>
    </DetailsBar>
  )
}

/** Opens the System Report of an instrument in a new tab, as one of its two types. */
function ReportMenu({ instrumentId }: { instrumentId: string }) {
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconFileText size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<Chevron to="down" />}
        >
          View report
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Select report type</Menu.Label>
        {reports.map(({ type, name }) => (
          <Menu.Item
            key={type}
            component="a"
            href={`/report/${encodeURIComponent(instrumentId)}?reportType=${type}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

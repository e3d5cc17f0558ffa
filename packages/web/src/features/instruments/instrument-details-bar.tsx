import type { InstrumentWithEvents } from '@benchwatch/contract/instruments'
import { IconAlertTriangle, IconListDetails } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { cityAndCountry } from '../../lib/address.ts'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { BarActions, BarFact, BarFacts, DetailsBar } from '../../ui/details-bar.tsx'
import { Dash, Named } from '../../ui/fact.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { OrcStatusMenu } from '../maintenance/orc-status-menu.tsx'
import { instrumentEventsSearch } from './instrument-events-address.ts'
import { putMaintenances } from './instruments.api.ts'
import { ReportMenu } from './report-menu.tsx'

/** The short info of an instrument with its ORC status as a control, and where one goes from here. */
export function InstrumentDetailsBar({ instrument }: { instrument: InstrumentWithEvents }) {
  const client = useQueryClient()
  const { id, instrumentInstalledProductId, instrumentCity, instrumentCountry, connectedAt, eventCount } = instrument
  return (
    <DetailsBar label="Instrument in short">
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
        <BarFact name="Installed Product ID">
          {instrumentInstalledProductId} <CopyButton text={instrumentInstalledProductId} label="Copy product ID" />
        </BarFact>
        <BarFact name="Location">
          <Named>{cityAndCountry(instrumentCity, instrumentCountry)}</Named>
        </BarFact>
        <BarFact name="Customer">
          <Named>{instrument.instrumentCustomer}</Named>
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
      </BarActions>
    </DetailsBar>
  )
}

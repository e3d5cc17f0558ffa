import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { Box, Divider, SimpleGrid, Stack } from '@mantine/core'
import { typeLabel, useInstrumentTypes } from '../../../lib/instrument-type.ts'
import '@mantine/core/styles/Divider.layer.css'
import { cityAndCountry } from '../../../lib/address.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { FactLine, RowDetails, RowFact, RowFacts } from '../../../ui/list/list-table.tsx'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { MonitoringNote } from '../../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../../connections/orc-status-badge.tsx'
import { UsageCard } from '../../usage/usage-card.tsx'
import { ContractFacts, dateOrNull, Region, ServiceFacts } from '../details/instrument-facts.tsx'
import { InstrumentValue } from '../instrument-value.ts'

/** The expanded row: short info, two columns of facts, and usage. */
export function InstrumentRowDetails({ instrument }: { instrument: Instrument }) {
  return (
    <RowDetails>
      <SimpleGrid
        autoFlow="auto-fit"
        minColWidth="min(440px, 100%)"
        spacing={32}
        verticalSpacing={18}
        style={{ alignItems: 'start' }}
      >
        <Stack gap={16} miw={0}>
          <ShortInfo instrument={instrument} />
          <Divider />
          <DetailBlock instrument={instrument} />
          <Box>
            <LinkButton to="/instruments/$instrumentId" params={{ instrumentId: instrument.id }}>
              More Detail
            </LinkButton>
          </Box>
        </Stack>
        <UsageCard instrument={instrument} />
      </SimpleGrid>
    </RowDetails>
  )
}

/** 3-decisions 9, "Short info". */
function ShortInfo({ instrument }: { instrument: Instrument }) {
  const { connectedAt } = instrument
  return (
    <RowFacts tracks="repeat(3, minmax(0, 1fr))">
      <RowFact name="System name">
        <FactLine>{instrument.instrumentDefinedSystemName ?? <Dash />}</FactLine>
      </RowFact>
      <RowFact name="Installed product ID">
        <FactLine>{instrument.instrumentInstalledProductId}</FactLine>
      </RowFact>
      <RowFact name="ORC status">
        <dd>
          <InstrumentValue category="orcStatus" value={instrument.orcStatus}>
            <OrcStatusBadge status={instrument.orcStatus} unknownAt={instrument.unknownAt} />
          </InstrumentValue>
          <MonitoringNote
            orcStatus={instrument.orcStatus}
            status={instrument.instrumentStatus}
            reason={instrument.statusReason}
          />
        </dd>
      </RowFact>
      <RowFact name="Location">
        <FactLine>
          <InstrumentValue category="instrumentCity" value={instrument.instrumentCity}>
            {cityAndCountry(instrument.instrumentCity, instrument.instrumentCountry) || <Dash />}
          </InstrumentValue>
        </FactLine>
      </RowFact>
      <RowFact name="Customer">
        <FactLine>
          <InstrumentValue category="instrumentCustomer" value={instrument.instrumentCustomer} />
        </FactLine>
      </RowFact>
      <RowFact name="Added to ORC">
        <FactLine>
          {connectedAt === null ? (
            '–'
          ) : (
            <ZonedTime at={connectedAt} siteZone={instrument.instrumentTimeZone}>
              {formatInstrumentDate(connectedAt)}
            </ZonedTime>
          )}
        </FactLine>
      </RowFact>
    </RowFacts>
  )
}

/** 3-decisions 9, "detail block": product and site beside contract and service. */
function DetailBlock({ instrument }: { instrument: Instrument }) {
  const { instrumentDefinedBuilding, instrumentDefinedRoom } = instrument
  const types = useInstrumentTypes()
  return (
    <SimpleGrid autoFlow="auto-fit" minColWidth="min(230px, 100%)" spacing={24} verticalSpacing={7}>
      <FactList>
        <Fact name="Instrument type">
          <InstrumentValue
            category="instrumentType"
            value={instrument.instrumentType}
            name={typeLabel(types, instrument.instrumentType)}
          />
        </Fact>
        <Fact name="Installation date">{dateOrNull(instrument.instrumentInstallationDate)}</Fact>
        <Fact name="Building / room">
          <Named>{[instrumentDefinedBuilding, instrumentDefinedRoom].filter(Boolean).join(' / ')}</Named>
        </Fact>
        <Fact name="Region">
          <Region instrument={instrument} />
        </Fact>
      </FactList>
      <FactList>
        <ContractFacts instrument={instrument} />
        <ServiceFacts instrument={instrument} />
        <Fact name="UNICORN version">
          <Named>{instrument.unicornVersion}</Named>
        </Fact>
      </FactList>
    </SimpleGrid>
  )
}

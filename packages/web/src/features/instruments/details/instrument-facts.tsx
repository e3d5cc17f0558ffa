import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { Text } from '@mantine/core'
import { addressLines } from '../../../lib/address.ts'
import { typeLabel, useInstrumentTypes } from '../../../lib/instrument-type.ts'
import { formatClockInZone, formatInstrumentDate } from '../../../lib/time/dates.ts'
import { Card, CardColumns } from '../../../ui/layout/card.tsx'
import { Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { Deadline, ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { InstrumentValue } from '../instrument-value.ts'

/** Product, installation and service dates. */
export function InstrumentFacts({ instrument }: { instrument: Instrument }) {
  const { connectedAt, instrumentTimeZone } = instrument
  const types = useInstrumentTypes()
  return (
    <Card title="Instrument">
      <CardColumns>
        <FactList>
          <Fact name="Instrument type">
            <InstrumentValue
              category="instrumentType"
              value={instrument.instrumentType}
              name={typeLabel(types, instrument.instrumentType)}
            />
          </Fact>
          <Fact name="Qualified system">
            <InstrumentValue
              category="qualifiedSystem"
              value={String(instrument.qualifiedSystem)}
              name={instrument.qualifiedSystem ? 'Yes' : 'No'}
            />
          </Fact>
          <Fact name="Installation date">{dateOrNull(instrument.instrumentInstallationDate)}</Fact>
          <Fact name="Added to ORC">
            {connectedAt !== null && (
              <ZonedTime at={connectedAt} siteZone={instrumentTimeZone}>
                {formatInstrumentDate(connectedAt)}
              </ZonedTime>
            )}
          </Fact>
        </FactList>
        <FactList>
          <ServiceFacts instrument={instrument} />
        </FactList>
      </CardColumns>
    </Card>
  )
}

/** Site, room and local time. */
export function InstrumentPlace({ instrument }: { instrument: Instrument }) {
  const lines = addressLines({
    street: instrument.instrumentStreetAddress,
    zip: instrument.instrumentZipCode,
    city: instrument.instrumentCity,
    country: instrument.instrumentCountry,
  })
  return (
    <Card title="Location">
      <FactList>
        <Fact name="Building">
          <Named>{instrument.instrumentDefinedBuilding}</Named>
        </Fact>
        <Fact name="Room">
          <Named>{instrument.instrumentDefinedRoom}</Named>
        </Fact>
        <Fact name="Address">
          {lines.map((line) => (
            <div key={line}>
              <InstrumentValue
                category="instrumentCity"
                value={line === lines.at(-1) ? instrument.instrumentCity : null}
              >
                <bdi>{line}</bdi>
              </InstrumentValue>
            </div>
          ))}
        </Fact>
        <Fact name="Region">
          <Region instrument={instrument} />
        </Fact>
        <Fact name="Local time">
          <SiteTime zone={instrument.instrumentTimeZone} />
        </Fact>
      </FactList>
    </Card>
  )
}

export function Region({ instrument: { instrumentRegion, instrumentSubRegion } }: { instrument: Instrument }) {
  return (
    <InstrumentValue category="instrumentRegion" value={instrumentRegion}>
      <Named>{[instrumentRegion, instrumentSubRegion].filter(Boolean).join(' · ')}</Named>
    </InstrumentValue>
  )
}

/** Shows whether people are at the site now, before the user calls. */
function SiteTime({ zone }: { zone: string }) {
  const time = formatClockInZone(useNow(), zone)
  return (
    <>
      {time}{' '}
      <Text span c="dimmed">
        {zone}
      </Text>
    </>
  )
}

export function dateOrNull(day: string | null): string | null {
  return day === null ? null : formatInstrumentDate(day)
}

/** Contract and its end date, for a list of facts. */
export function ContractFacts({ instrument }: { instrument: Instrument }) {
  const { instrumentContractEndDate } = instrument
  return (
    <>
      <Fact name="Contract type">
        <Named>{instrument.instrumentContractType}</Named>
      </Fact>
      <Fact name="Contract SLA">
        <InstrumentValue category="contractSLA" value={instrument.instrumentContractSlaTerm}>
          <Named>{instrument.instrumentContractSlaTerm}</Named>
        </InstrumentValue>
      </Fact>
      <Fact name="Contract end">
        {instrumentContractEndDate !== null && (
          <Deadline
            day={instrumentContractEndDate}
            text={formatInstrumentDate(instrumentContractEndDate)}
            pastWord="expired"
          />
        )}
      </Fact>
    </>
  )
}

/** Last and next service, for a list of facts. */
export function ServiceFacts({ instrument }: { instrument: Instrument }) {
  const { instrumentLastService, instrumentNextService } = instrument
  return (
    <>
      <Fact name="Last service">{instrumentLastService !== null && formatInstrumentDate(instrumentLastService)}</Fact>
      <Fact name="Next service">
        {instrumentNextService !== null && (
          <Deadline day={instrumentNextService} text={formatInstrumentDate(instrumentNextService)} pastWord="overdue" />
        )}
      </Fact>
    </>
  )
}

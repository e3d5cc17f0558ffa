import type { Instrument } from '@benchwatch/contract/instruments'
import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import { addressLines } from '../../lib/address.ts'
import { formatClockInZone, formatInstrumentDate } from '../../lib/dates.ts'
import { Card } from '../../ui/card.tsx'
import { Fact, FactList, Named } from '../../ui/fact.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { ServiceFacts } from './contract-facts.tsx'
import styles from './instrument-facts.module.css'

/** What it is, since when, and when it is served. */
export function InstrumentFacts({ instrument }: { instrument: Instrument }) {
  const { connectedAt, instrumentTimeZone } = instrument
  return (
    <Card title="Instrument">
      <FactList>
        <Fact name="Instrument type">{instrumentTypeLabels[instrument.instrumentType]}</Fact>
        <Fact name="Qualified system">{instrument.qualifiedSystem ? 'Yes' : 'No'}</Fact>
        <Fact name="Installation date">{dateOrNull(instrument.instrumentInstallationDate)}</Fact>
        <Fact name="Added to ORC">
          {connectedAt !== null && (
            <ZonedTime at={connectedAt} siteZone={instrumentTimeZone}>
              {formatInstrumentDate(connectedAt)}
            </ZonedTime>
          )}
        </Fact>
        <ServiceFacts instrument={instrument} />
      </FactList>
    </Card>
  )
}

/** Where it stands, and what time it is there. */
export function InstrumentPlace({ instrument }: { instrument: Instrument }) {
  const { instrumentRegion, instrumentSubRegion } = instrument
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
              <bdi>{line}</bdi>
            </div>
          ))}
        </Fact>
        <Fact name="Region">
          <Named>{[instrumentRegion, instrumentSubRegion].filter(Boolean).join(' · ')}</Named>
        </Fact>
        <Fact name="Time there">
          <SiteTime zone={instrument.instrumentTimeZone} />
        </Fact>
      </FactList>
    </Card>
  )
}

/** Before somebody calls: whether people are there by now. */
function SiteTime({ zone }: { zone: string }) {
  const time = formatClockInZone(useNow(), zone)
  return (
    <>
      {time} <span className={styles.quiet}>{zone}</span>
    </>
  )
}

export function dateOrNull(day: string | null): string | null {
  return day === null ? null : formatInstrumentDate(day)
}

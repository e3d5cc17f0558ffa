import type { Instrument } from '@benchwatch/contract/instruments'
import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import { cityAndCountry } from '../../../lib/address.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { MonitoringNote } from '../../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../../connections/orc-status-badge.tsx'
import { UsageCard } from '../../usage/usage-card.tsx'
import { ContractFacts, dateOrNull, ServiceFacts } from '../details/instrument-facts.tsx'
import styles from './instrument-row-details.module.css'

/** The expanded row: short info, two columns of facts, and usage. */
export function InstrumentRowDetails({ instrument }: { instrument: Instrument }) {
  return (
    <div className={styles.panel}>
      <div className={styles.info}>
        <ShortInfo instrument={instrument} />
        <DetailBlock instrument={instrument} />
        <LinkButton className={styles.open} to="/instruments/$instrumentId" params={{ instrumentId: instrument.id }}>
          More Detail
        </LinkButton>
      </div>
      <UsageCard instrument={instrument} />
    </div>
  )
}

/** 3-decisions 9, "Short info". */
function ShortInfo({ instrument }: { instrument: Instrument }) {
  const { connectedAt } = instrument
  return (
    <dl className={styles.facts}>
      <div>
        <dt>System name</dt>
        <dd>
          <Named>{instrument.instrumentDefinedSystemName}</Named>
        </dd>
      </div>
      <div>
        <dt>Installed product ID</dt>
        <dd>{instrument.instrumentInstalledProductId}</dd>
      </div>
      <div>
        <dt>ORC status</dt>
        <dd>
          <OrcStatusBadge status={instrument.orcStatus} unknownAt={instrument.unknownAt} />
          <MonitoringNote orcStatus={instrument.orcStatus} status={instrument.instrumentStatus} />
        </dd>
      </div>
      <div>
        <dt>Location</dt>
        <dd>
          <Named>{cityAndCountry(instrument.instrumentCity, instrument.instrumentCountry)}</Named>
        </dd>
      </div>
      <div>
        <dt>Customer</dt>
        <dd>
          <Named>{instrument.instrumentCustomer}</Named>
        </dd>
      </div>
      <div>
        <dt>Added to ORC</dt>
        <dd>
          {connectedAt === null ? (
            '–'
          ) : (
            <ZonedTime at={connectedAt} siteZone={instrument.instrumentTimeZone}>
              {formatInstrumentDate(connectedAt)}
            </ZonedTime>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** 3-decisions 9, "detail block": product and site beside contract and service. */
function DetailBlock({ instrument }: { instrument: Instrument }) {
  const { instrumentDefinedBuilding, instrumentDefinedRoom } = instrument
  return (
    <div className={styles.columns}>
      <FactList>
        <Fact name="Instrument type">{instrumentTypeLabels[instrument.instrumentType]}</Fact>
        <Fact name="Installation date">{dateOrNull(instrument.instrumentInstallationDate)}</Fact>
        <Fact name="Building / room">
          <Named>{[instrumentDefinedBuilding, instrumentDefinedRoom].filter(Boolean).join(' / ')}</Named>
        </Fact>
        <Fact name="Region">
          <Named>{[instrument.instrumentRegion, instrument.instrumentSubRegion].filter(Boolean).join(' · ')}</Named>
        </Fact>
      </FactList>
      <FactList>
        <ContractFacts instrument={instrument} />
        <ServiceFacts instrument={instrument} />
        <Fact name="UNICORN version">
          <Named>{instrument.unicornVersion}</Named>
        </Fact>
      </FactList>
    </div>
  )
}

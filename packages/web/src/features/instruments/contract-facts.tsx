import type { Instrument } from '@benchwatch/contract/instruments'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { Deadline } from '../../ui/deadline.tsx'
import { Fact, Named } from '../../ui/fact.tsx'

/** What the contract of an instrument promises, and until when; for a list of facts. */
export function ContractFacts({ instrument }: { instrument: Instrument }) {
  const { instrumentContractEndDate } = instrument
  return (
    <>
      <Fact name="Contract type">
        <Named>{instrument.instrumentContractType}</Named>
      </Fact>
      <Fact name="Contract SLA">
        <Named>{instrument.instrumentContractSlaTerm}</Named>
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

/** When an instrument was serviced last and is to be next; for a list of facts. */
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

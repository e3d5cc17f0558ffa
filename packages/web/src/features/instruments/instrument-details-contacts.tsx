import type { Instrument } from '@benchwatch/contract/instruments'
import { Card } from '../../ui/card.tsx'
import { EmailLink, PhoneLink } from '../../ui/contact-line.tsx'
import { Fact, FactList, Named } from '../../ui/fact.tsx'
import { ContractFacts } from './contract-facts.tsx'
import styles from './instrument-details-contacts.module.css'

/** Whose it is, what the contract promises, and whom to call. */
export function InstrumentContacts({ instrument }: { instrument: Instrument }) {
  const { instrumentCountry } = instrument
  return (
    <Card title="Customer">
      <div className={styles.groups}>
        <FactList>
          <Fact name="Customer">
            <Named>{instrument.instrumentCustomer}</Named>
          </Fact>
          <ContractFacts instrument={instrument} />
        </FactList>
        <FactList>
          <Fact name="Contact">
            <Named>{instrument.instrumentContactName}</Named>
          </Fact>
          <Fact name="Phone">
            <PhoneLink number={instrument.instrumentContactPhone} country={instrumentCountry} />
          </Fact>
          <Fact name="Mobile">
            <PhoneLink number={instrument.instrumentContactMobile} country={instrumentCountry} />
          </Fact>
          <Fact name="E-mail">
            <EmailLink address={instrument.instrumentContactEmail} />
          </Fact>
        </FactList>
        <FactList>
          <Fact name="IT contact">
            <Named>{instrument.itContactName}</Named>
          </Fact>
          <Fact name="IT e-mail">
            <EmailLink address={instrument.itContactEmail} />
          </Fact>
        </FactList>
      </div>
    </Card>
  )
}
